import type { EndpointShape, ParamsIn, ResponseOf, Schema } from '@waybill/contract/ground/endpoint'
import { type Answered, fillPath, type TestApp } from './app.ts'

type Uploading = EndpointShape & { upload: Schema }

/** Sends a multipart form with a file over HTTP, as a browser does. */
export async function upload<E extends Uploading>(
  test: TestApp,
  endpoint: E,
  request: {
    token?: string
    params?: ParamsIn<E>
    fields?: Record<string, string>
    file?: { name: string; type?: string; bytes: Uint8Array<ArrayBuffer> }
    fileField?: string
  },
): Promise<Answered<ResponseOf<E>>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(request.fields ?? {})) form.set(name, value)
  if (request.file) {
    const { name, type = 'application/octet-stream', bytes } = request.file
    form.set(request.fileField ?? 'file', new Blob([bytes], { type }), name)
  }
  const response = new Response(form)
  const answer = await test.app.inject({
    method: endpoint.method,
    url: fillPath(endpoint, request.params as Record<string, unknown>),
    headers: {
      'content-type': response.headers.get('content-type') ?? '',
      ...(request.token ? { authorization: `Bearer ${request.token}` } : {}),
    },
    payload: Buffer.from(await response.arrayBuffer()),
  })
  const json = answer.json()
  return { status: answer.statusCode, body: json, error: json, headers: answer.headers, raw: answer.rawPayload }
}
