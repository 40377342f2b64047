// The service worker of push messages. It does nothing else: pages and answers are not cached by it.
self.addEventListener('push', (event) => {
  const message = event.data?.json()
  if (!message) return
  const { id, title, text, path } = message
  event.waitUntil(
    self.registration.showNotification(title, { body: text, tag: id, icon: '/favicon.svg', data: { path } }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data?.path ?? '/notifications', self.location.origin).href
  const open = async () => {
    const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const present = windows.find((client) => client.url === url)
    await (present ? present.focus() : self.clients.openWindow(url))
  }
  event.waitUntil(open())
})
