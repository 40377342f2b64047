import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { type CallOptions, send } from './api.ts'

type Document = { blob: Blob; name: string }

async function fetchDocument<E extends EndpointShape>(endpoint: E, options: CallOptions<E>): Promise<Document> {
  // No time-out: the server streams long documents, which takes longer than an ordinary call.
  const response = await send(endpoint, { ...options, untimed: true })
  const disposition = response.headers.get('content-disposition') ?? ''
  const name = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1] ?? /filename="?([^";]+)"?/i.exec(disposition)?.[1]
  return { blob: await response.blob(), name: name ? decodeURIComponent(name) : `${endpoint.id}.pdf` }
}

/** A new tab or a print dialog needs its object URL for as long as it is open, so URLs are revoked late. */
function urlFor(blob: Blob): string {
  const url = URL.createObjectURL(blob)
  setTimeout(() => URL.revokeObjectURL(url), 10 * 60_000)
  return url
}

/**
 * Shows a document in a new tab. Call it directly in the click handler: browsers block a tab that opens later. If tabs
 * are blocked, the document is saved instead. Throws the errors of `call`, and then closes the tab.
 */
export async function openDocument<E extends EndpointShape>(
  endpoint: E,
  options: CallOptions<E> | Promise<CallOptions<E>>,
): Promise<void> {
  const tab = window.open('', '_blank')
  try {
    const { blob, name } = await fetchDocument(endpoint, await options)
    if (tab) tab.location.replace(urlFor(blob))
    else save(blob, name)
  } catch (error) {
    tab?.close()
    throw error
  }
}

/** Opens the browser's print dialog for a document without leaving the page. Throws the errors of `call`. */
export async function printDocument<E extends EndpointShape>(endpoint: E, options: CallOptions<E>): Promise<void> {
  const { blob } = await fetchDocument(endpoint, options)
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;width:1px;height:1px;inset-inline-end:0;inset-block-end:0;border:0;opacity:0'
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  frame.src = urlFor(blob)
  await new Promise((resolve) => {
    frame.addEventListener('load', resolve, { once: true })
    document.body.append(frame)
  })
  if (options.signal?.aborted) {
    frame.remove()
    throw options.signal.reason
  }
  frame.contentWindow?.print()
  window.addEventListener('focus', () => frame.remove(), { once: true })
}

/** Saves a document under the file name from the server. Throws the errors of `call`. */
export async function saveDocument<E extends EndpointShape>(endpoint: E, options: CallOptions<E>): Promise<void> {
  const { blob, name } = await fetchDocument(endpoint, options)
  save(blob, name)
}

/** Saves text as a file; `type`: its media type. */
export function saveText(text: string, type: string, name: string): void {
  save(new Blob([text], { type }), name)
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = urlFor(blob)
  link.download = name
  link.click()
}
