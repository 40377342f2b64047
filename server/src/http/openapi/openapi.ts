/** The OpenAPI document and its page. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { Schema } from '@waybill/contract/ground/endpoint'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'

/** Describes a form with a file for the document; it validates nothing. */
function formWithFile(upload: Schema) {
  const fields = z.toJSONSchema(upload, { io: 'input', unrepresentable: 'any' })
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  return { consumes: ['multipart/form-data'], body: { ...fields, properties: { ...fields.properties, file } } }
}

/** Serves the OpenAPI 3.1 document, generated from the contract that validates the requests, and a readable page. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Waybill',
        version: '1',
        description:
          'The customer portal of a courier company. Money is an integer in minor units, weights are grams, ' +
          'lengths millimetres, times ISO 8601 UTC.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: (document) => {
      // Pages and the demo's routes are not part of the API.
      if (!document.schema?.operationId) {
        return { schema: { ...document.schema, hide: true }, url: document.url }
      }
      const transformed = jsonSchemaTransform(document as Parameters<typeof jsonSchemaTransform>[0])
      const upload = document.route.config?.endpoint?.upload
      return upload ? { ...transformed, schema: { ...transformed.schema, ...formWithFile(upload) } } : transformed
    },
    transformObject: jsonSchemaTransformObject,
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
    // The page's own copy of the document would be built on each call.
    uiHooks: {
      onRequest: async (request, reply) => {
        if (request.url.split('?', 1)[0] === '/api/docs/json') return reply.redirect('/api/openapi.json')
      },
    },
    uiConfig: { docExpansion: 'none', deepLinking: true },
  })
}
