/** The HTTP server of a simulated carrier, reachable from this machine only. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type PeerRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string | undefined>
  body: Buffer
}

/**
 * `silence` closes the connection without an answer; `never` leaves the caller waiting. `unfinished` sends a partial
 * answer and keeps the connection open.
 */
export type PeerAnswer =
  | { status: number; body: unknown; headers?: Record<string, string>; type?: string; unfinished?: boolean }
  | 'silence'
  | 'never'

export type PeerHandler = (request: PeerRequest) => PeerAnswer | Promise<PeerAnswer>

export type PeerServer = { url: string; stop(): Promise<void> }

/** Serves a simulated carrier on a free port of this machine. */
export async function servePeer(handle: PeerHandler): Promise<PeerServer> {
  const answer = async (request: IncomingMessage, reply: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const url = new URL(request.url ?? '/', 'http://peer')
    const result = await handle({
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: Buffer.concat(parts),
    })
    if (result === 'never') return
    if (result === 'silence') {
      request.socket.destroy()
      return
    }
    const { status, body, headers = {}, type = 'application/json', unfinished } = result
    reply.writeHead(status, { 'content-type': type, ...headers })
    const content = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    if (unfinished) reply.write(content)
    else reply.end(content)
  }
  const server = createServer((request, reply) => void answer(request, reply).catch(() => request.socket.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A label as carriers send it: a base64 PDF of one A6 page, marked as not for shipping. */
export function simulatedLabel(carrier: string, number: string, lines: readonly string[]): string {
  const safe = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').replace(/[\\()]/g, '\\$&')
  const text = [
    `BT /F1 22 Tf 20 380 Td (${safe(carrier)}) Tj ET`,
    `BT /F1 20 Tf 20 345 Td (${safe(number)}) Tj ET`,
    ...lines
      .slice(0, 14)
      .map((line, index) => `BT /F1 11 Tf 20 ${310 - index * 16} Td (${safe(line).slice(0, 60)}) Tj ET`),
    'BT /F1 12 Tf 20 30 Td (SIMULATED - NOT FOR SHIPPING) Tj ET',
    '1 w 10 10 277 400 re S 10 335 m 287 335 l S',
  ].join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 297 420] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = pdf.length
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const xref = pdf.length
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  pdf += offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  pdf += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`
  return Buffer.from(pdf, 'latin1').toString('base64')
}
