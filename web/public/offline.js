// Reloads the page as soon as the server responds. A separate file, because the Content-Security-Policy forbids inline
// scripts.
const everyMs = 5_000

async function reloadIfReachable() {
  // A browser may report a connection before requests succeed.
  const response = await fetch('/healthz', { cache: 'no-store' }).catch(() => null)
  if (response?.ok) location.reload()
}

addEventListener('online', reloadIfReachable)
setInterval(() => navigator.onLine && reloadIfReachable(), everyMs)
