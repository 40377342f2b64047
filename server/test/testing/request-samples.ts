/** Minimal valid requests from the schemas of the contract, and the position of ids in them. */
import type { EndpointShape, Schema } from '@waybill/contract/ground/endpoint'
import * as z from 'zod/mini'

type Json = {
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Json[]
  oneOf?: Json[]
  properties?: Record<string, Json>
  required?: string[]
  additionalProperties?: Json | boolean
  items?: Json
  minimum?: number
  minItems?: number
  minLength?: number
}

export type Part = 'params' | 'query' | 'body' | 'upload'
const parts: readonly Part[] = ['params', 'query', 'body', 'upload']
/** The position of an id in a request, such as `body.parcelIds[]`. */
export type IdField = { part: Part; path: string }

const toJsonSchema = (schema: Schema) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json

function leaves(schema: Json, path: string): { path: string; schema: Json }[] {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.flatMap((choice) => leaves(choice, path))
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, each]) => leaves(each, path ? `${path}.${name}` : name))
  }
  if (schema.items) return leaves(schema.items, `${path}[]`)
  return [{ path, schema }]
}

/** Strings other than UUIDs that identify a record: lists in a path or query, readable numbers, secrets. */
const namesRecord = /^(ids|no|x|token|numbers\[\]|add\[\]|remove\[\]|\w+Token)$/

/** Optional fields that a call needs anyway: the PIN and the password of a user. */
const alwaysGiven = ['pin', 'currentPassword']

/** All fields of an endpoint's request that identify a record. */
export function idFields(endpoint: EndpointShape): IdField[] {
  const fields = parts.flatMap((part) => {
    const schema = endpoint[part]
    // A form has the same fields as the JSON body of the call.
    if (!schema || (part === 'upload' && endpoint.body)) return []
    return leaves(toJsonSchema(schema), '')
      .filter((leaf) => leaf.schema.format === 'uuid' || namesRecord.test(leaf.path))
      .map(({ path }) => ({ part, path }))
  })
  // The options of a union can contain the same field several times.
  return [...new Map(fields.map((field) => [`${field.part}.${field.path}`, field])).values()]
}

/** Values by field name, for schemas that are too general. */
export type Samples = Record<string, unknown>

function sample(schema: Json, name: string, samples: Samples): unknown {
  if (Object.hasOwn(samples, name)) return samples[name]
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return sample(choice, name, samples)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.properties || schema.type === 'object') {
    const names = Object.keys(schema.properties ?? {})
    const required = names.filter((each) => schema.required?.includes(each) || alwaysGiven.includes(each))
    return Object.fromEntries(required.map((each) => [each, sample(schema.properties?.[each] ?? {}, each, samples)]))
  }
  if (schema.type === 'array') {
    return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, name, samples))
  }
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (schema.type === 'boolean') return true
  if (schema.format === 'date') return samples.day
  return 'x'.repeat(Math.max(3, schema.minLength ?? 0))
}

/** A minimal request that fits the schemas, with values of `samples` for required fields of that name. */
export function sampleRequest(endpoint: EndpointShape, samples: Samples): Record<Part, Record<string, unknown>> {
  const values = parts.map((part) => {
    const schema = endpoint[part]
    return [part, schema ? sample(toJsonSchema(schema), '', samples) : {}]
  })
  return Object.fromEntries(values) as Record<Part, Record<string, unknown>>
}

/** Puts a value at a path such as `ids`, `keep.id`, `remove[].id` or `parcelIds[]` (the first entry of an array). */
export function putAt(target: Record<string, unknown>, path: string, value: string): void {
  const [first = '', ...rest] = path.split('.')
  const name = first.replace('[]', '')
  const isArray = first.endsWith('[]')
  if (rest.length === 0) {
    target[name] = isArray ? [value] : value
    return
  }
  const present = isArray ? (target[name] as unknown[] | undefined)?.[0] : target[name]
  const inner = (present ?? {}) as Record<string, unknown>
  target[name] = isArray ? [inner] : inner
  putAt(inner, rest.join('.'), value)
}
