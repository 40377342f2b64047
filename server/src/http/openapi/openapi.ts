/** The OpenAPI document and its page. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { EndpointShape, Schema } from '@waybill/contract/ground/endpoint'
import { errorBody } from '@waybill/contract/ground/errors'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { idempotencyKeyPattern } from '../idempotency.ts'
import { webhookDescriptions } from './webhooks.ts'

const toJsonSchema = (schema: Schema) => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return json
}

/**
 * A text that is changed after its validation, such as an empty one to null, is described as it was before: its result
 * has no schema, and a response would allow any value.
 */
const transform = createJsonSchemaTransform({
  zodToJsonConfig: {
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod
      if (def.type !== 'pipe' || def.out._zod.def.type !== 'transform') return
      Object.assign(jsonSchema, toJsonSchema(def.in as Schema))
    },
  },
})

/** Describes a form with a file for the document; it validates nothing. */
function formWithFile(upload: Schema) {
  const fields = toJsonSchema(upload)
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  return { ...fields, properties: { ...fields.properties, file } }
}

const formType = 'multipart/form-data'

/** What many calls share: described once, and referred to. */
const components = {
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'A repeated request with the same key and body gets the first response again, for a day.',
      schema: { type: 'string', pattern: idempotencyKeyPattern.source },
    },
  },
  responses: {
    Error: {
      description: 'An error. `code` is stable; `message` is in the language of the Accept-Language header.',
      content: { 'application/json': { schema: toJsonSchema(errorBody) } },
    },
  },
}

type Document = { paths: Record<string, Record<string, Operation>>; components?: object }
/** Described here, or by a reference to one that many calls share. */
type Parameter = { name?: string; in?: string; schema?: { enum?: string[] }; $ref?: string }
type Response = { description?: string; content?: Record<string, unknown>; $ref?: string }
type Operation = {
  operationId?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, Response>
}

/** The media type of each value of the query field `format`. */
const typesByFormat: Record<string, string> = {
  json: 'application/json',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  zip: 'application/zip',
}

/** The content of a response that is not JSON, or only if the caller chooses so by `format`. */
function describeContent({ parameters = [], responses }: Operation, media: string): Record<string, unknown> {
  const format = parameters.find((parameter) => parameter.in === 'query' && parameter.name === 'format')
  const types = (format?.schema?.enum ?? []).flatMap((value) => typesByFormat[value] ?? [])
  const json = responses['200']?.content?.['application/json'] ?? {}
  return Object.fromEntries(
    (types.length > 0 ? types : [media]).map((type) => [type, type === 'application/json' ? json : {}]),
  )
}

/** Adds to a call's description what its schemas do not say. */
function completeOperation(operation: Operation, { idempotent, upload, body, media }: EndpointShape): void {
  if (idempotent) {
    operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }]
  }
  if (upload) {
    const json = body ? operation.requestBody?.content : undefined
    operation.requestBody = { content: { ...json, [formType]: { schema: formWithFile(upload) } } }
  }
  if (media) {
    operation.responses['200'] = { description: 'The content', content: describeContent(operation, media) }
  }
  operation.responses.default = { $ref: '#/components/responses/Error' }
}

/** Serves the OpenAPI 3.1 document, generated from the contract that validates the requests, and a readable page. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      servers: [{ url: '/' }],
      info: {
        title: 'Waybill',
        version: '1',
        description:
          'The customer portal of a courier company. Money is an integer in minor units, weights are grams, ' +
          'lengths millimetres, times ISO 8601 UTC. What webhooks send, and how to verify it, is at the end of this ' +
          'page.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: (document) => {
      // Pages and the demo's routes are not part of the API.
      if (!document.schema?.operationId) {
        return { schema: { ...document.schema, hide: true }, url: document.url }
      }
      return transform(document as Parameters<typeof transform>[0])
    },
    transformObject: (document) => {
      const transformed = jsonSchemaTransformObject(document) as Document
      const endpoints = new Map(app.routes.map(({ endpoint }) => [endpoint?.id, endpoint]))
      for (const operation of Object.values(transformed.paths).flatMap((path) => Object.values(path))) {
        const endpoint = endpoints.get(operation.operationId)
        if (endpoint) completeOperation(operation, endpoint)
      }
      return {
        ...transformed,
        webhooks: webhookDescriptions,
        components: { ...transformed.components, ...components },
      } as never
    },
  })
  // Built once: it is a megabyte of text that never changes.
  let text: string | undefined
  app.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    text ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(text)
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    // A portal that is served over http would load the document over https, and show none.
    transformStaticCSP: (header) => header.replace(/upgrade-insecure-requests;?/, ''),
    // The page's own copy of the document would be built on each call.
    uiHooks: {
      onRequest: async (request, reply) => {
        if (request.url.split('?', 1)[0] === '/api/docs/json') return reply.redirect('/api/openapi.json')
      },
    },
    uiConfig: { docExpansion: 'none', deepLinking: true },
  })
}
