// The service worker of the portal: push messages, and a page for when there is no connection. It caches that page
// alone. Pages and answers of the API always come from the network: a kept answer could be out of date, or be shown to
// the next user of this browser.
const offlineCache = 'offline-2'
const offlineFiles = ['/offline.html', '/offline.css', '/offline.js', '/favicon.svg']

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(offlineCache).then((cache) => cache.addAll(offlineFiles)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  // The tracking page keeps a cache of its own (`following`).
  const old = (names) => names.filter((name) => name.startsWith('offline-') && name !== offlineCache)
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))))
})

/** Answers of the server alone. The bank's page after a payment is the answer to a form, which cannot be repeated. */
const serverPath = /^\/(api|demo|simulated-bank)\//

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  const isPage = request.mode === 'navigate' && request.method === 'GET' && !serverPath.test(pathname)
  // What the offline page itself is made of. All else passes by this worker.
  if (!isPage && !(offlineFiles.includes(pathname) && !self.navigator.onLine)) return
  event.respondWith(
    fetch(request).catch(async () => {
      const cache = await caches.open(offlineCache)
      return (await cache.match(isPage ? '/offline.html' : pathname)) ?? Response.error()
    }),
  )
})

self.addEventListener('push', (event) => {
  const message = event.data?.json()
  if (!message) return
  const { id, title, text, path, end } = message
  const actions = end ? [{ action: 'end', title: end.label }] : []
  const data = { path, endUrl: end?.url }
  event.waitUntil(
    self.registration.showNotification(title, { body: text, tag: id, icon: '/favicon.svg', actions, data }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { path = '/notifications', endUrl } = event.notification.data ?? {}
  const url = new URL(path, self.location.origin).href
  const open = async () => {
    const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const present = windows.find((client) => client.url === url)
    await (present ? present.focus() : self.clients.openWindow(url))
  }
  // Without a connection the page opens, which has the same button.
  const end = () => fetch(endUrl, { method: 'POST', mode: 'no-cors' }).catch(open)
  event.waitUntil(event.action === 'end' ? end() : open())
})
