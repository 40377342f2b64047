/** The request, and the callback that receives the fraction sent (0 to 1). */
export type SentForm = {
  method: string
  headers: Record<string, string>
  form: FormData
  signal: AbortSignal
  onProgress: ((fraction: number) => void) | undefined
}

/** `fetch` for a form with upload progress, which fetch cannot report. */
export function sendForm(url: string, { method, headers, form, signal, onProgress }: SentForm): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const retryAfter = request.getResponseHeader('retry-after')
      resolve(
        new Response(request.responseText, {
          status: request.status,
          headers: retryAfter ? { 'retry-after': retryAfter } : {},
        }),
      )
    }
    request.onerror = () => reject(new TypeError('network error'))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}
