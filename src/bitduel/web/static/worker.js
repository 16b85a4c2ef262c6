// Shows a page of its own where there is no connection. It keeps that page and what the page needs, and nothing else:
// no match, and nothing old is ever shown while there is a connection.
"use strict";

const OURS = "bitduel offline ";
const KEPT = `${OURS}VERSION`;
const OFFLINE = "/offline";
const FILES = [OFFLINE, ...ASSETS];

const keep = async () => {
  const kept = await caches.open(KEPT);
  await kept.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await self.skipWaiting();
};

const clear = async () => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== KEPT).map((name) => caches.delete(name)));
};

const instead = ({ method, mode, url }) => {
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin) return null;
  if (mode === "navigate") return OFFLINE;
  return FILES.includes(pathname) ? pathname : null;
};

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(clear()));
self.addEventListener("fetch", (event) => {
  const file = instead(event.request);
  if (file) event.respondWith(fetch(event.request).catch(async () => (await caches.match(file)) || Response.error()));
});
