// Progress that this browser keeps: one store for each person who uses it. Every page works without it.
const bitduelProgress = (() => {
  "use strict";

  const [NAME, PEOPLE, NOW] = ["bitduel-name", "bitduel-people", "bitduel-person"];

  const read = (key) => {
    try {
      return JSON.parse(window.localStorage.getItem(key));
    } catch {
      return null;
    }
  };
  const write = (key, value) => {
    try {
      window.localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Then nothing is remembered.
    }
  };

  // What else stands in the storage, whoever put it there, is left alone and not read.
  const isObject = (value) => Boolean(value) && typeof value === "object" && !Array.isArray(value);
  const named = () => {
    const names = read(PEOPLE);
    return Array.isArray(names) ? names.filter((name) => name && typeof name === "string") : [];
  };

  // The first person has no name here, so what a browser kept before there were several stays theirs.
  const person = () => {
    const name = read(NOW);
    return typeof name === "string" ? name : "";
  };
  const people = () => ["", ...named()];
  const place = (key) => (person() ? `bitduel-${key}@${person()}` : `bitduel-${key}`);

  const get = (key) => {
    const value = read(place(key));
    return isObject(value) ? value : {};
  };
  const set = (key, value) => write(place(key), value);
  // The puzzles that were solved in a game: how many, and the highest grade.
  const solvedPuzzles = (slug) => {
    const { solved } = get("puzzles");
    const own = isObject(solved) && isObject(solved[slug]) ? solved[slug] : {};
    const grades = Object.keys(own).filter((grade) => /^[1-7]$/.test(grade) && Array.isArray(own[grade]) && own[grade].length);
    return { count: grades.reduce((sum, grade) => sum + own[grade].length, 0), grade: Math.max(0, ...grades) };
  };
  const switchPerson = (name) => {
    const others = named();
    if (name && !others.includes(name)) write(PEOPLE, [...others, name]);
    write(NOW, name);
  };

  const firstName = () => {
    try {
      return window.localStorage.getItem(NAME) || "";
    } catch {
      return "";
    }
  };
  // Letters that turn the text around, or that nobody sees, are not shown, however they came into the name.
  const title = (name) => (name || firstName()).replace(/\p{C}/gu, "");

  const element = (tag, settings, ...content) => {
    const made = Object.assign(document.createElement(tag), settings);
    made.append(...content);
    return made;
  };

  // "Not you?" where a page has a place for it.
  const offer = (place) => {
    const turn = (name) => {
      switchPerson(name);
      window.location.reload();
    };
    const others = people()
      .filter((name) => name !== person())
      .map((name) => {
        const button = element("button", { type: "button", className: "quiet" }, title(name) ? `I'm ${title(name)}` : "I was here first");
        button.addEventListener("click", () => turn(name));
        return button;
      });
    const field = element("input", { id: "new-person", maxLength: 20, required: true, autocomplete: "off" });
    const form = element("form", {}, element("label", { htmlFor: "new-person" }, "Somebody else: your first name"), field, element("button", {}, "Start"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim()) turn(field.value.trim());
    });
    const drawer = element("details", { className: "card drawer person" }, element("summary", {}, element("span", {}, title(person()) ? `Progress of ${title(person())}. Not you?` : "Progress in this browser. Not yours?")), ...others, form);
    place.replaceChildren(drawer);
    place.hidden = false;
  };
  for (const each of document.querySelectorAll("[data-person]")) offer(each);

  return { get, set, person, switchPerson, isObject, solvedPuzzles, name: () => title(person()) };
})();
