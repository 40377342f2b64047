import { whenIdle } from '../../lib/browser/idle.ts'

/**
 * Prefetches the first resources of another page of this site once this page is idle. A failure is harmless: that page
 * then loads them itself.
 */
export function prefetchPage(path: string): void {
  whenIdle(async () => {
    try {
      const html = await (await fetch(path, { headers: { accept: 'text/html' } })).text()
      const page = new DOMParser().parseFromString(html, 'text/html')
      for (const element of page.querySelectorAll('[type=module], [rel=modulepreload], [rel=stylesheet]')) {
        const link = document.createElement('link')
        link.rel = 'prefetch'
        link.href = element.getAttribute('src') ?? element.getAttribute('href') ?? ''
        document.head.append(link)
      }
    } catch {
      // Offline, or the response is not a page: there is nothing to prefetch.
    }
  })
}
