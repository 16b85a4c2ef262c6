"""Tables: seats that people, programs and other clients take over one store, and who is told of what happens there."""
