/** Messages about a request name its fields as people do, in both languages. */
import { locales } from '@waybill/contract/ground/constants'
import type { Schema } from '@waybill/contract/ground/endpoint'
import { fieldLabel } from '@waybill/contract/ground/validation'
import { createBulk } from '@waybill/contract/parcels/bulk'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { loadTranslations } from '../../src/lib/i18n.ts'
import { buildTestApp } from '../testing/app.ts'
import { contractEndpoints } from '../testing/contract.ts'
import { createCustomer } from '../testing/factories/accounts.ts'

type Json = {
  anyOf?: Json[]
  oneOf?: Json[]
  items?: Json
  properties?: Record<string, Json>
  additionalProperties?: Json | boolean
  propertyNames?: { enum?: string[] }
}

/** The names of all properties, at any depth, and of the keys of records. */
function listNames(schema: Json): string[] {
  const { items, properties = {}, additionalProperties: values, propertyNames } = schema
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...Object.values(properties)]
  if (items) inner.push(items)
  if (typeof values === 'object') inner.push(values)
  return [...Object.keys(properties), ...(propertyNames?.enum ?? []), ...inner.flatMap(listNames)]
}

const toNames = (schema: Schema) =>
  listNames(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Json)

it('every field of every request has a label in both languages', async () => {
  const endpoints = await contractEndpoints()
  const schemas = endpoints.flatMap(({ params, query, body, upload }) => [params, query, body, upload])
  const names = [...new Set(schemas.flatMap((schema) => (schema ? toNames(schema) : [])))].sort()
  expect(names.length).toBeGreaterThan(300)
  const translations = loadTranslations()
  for (const locale of locales) {
    const t = translations(locale)
    expect(names.filter((name) => fieldLabel(name, t) === name)).toEqual([])
  }
})

it('messages use the singular and the plural', async () => {
  const test = await buildTestApp()
  const { token } = await createCustomer(test)
  const readMessage = async (body: object, language: string) =>
    (await test.call(createBulk, { token, body, language })).error.errors?.[0]?.message
  expect(await readMessage({ rows: [] }, 'en')).toBe('Rows: at least 1 entry.')
  expect(await readMessage({ rows: [] }, 'zh')).toBe('行至少需要 1 项。')
  const name = 'x'.repeat(201)
  expect(await readMessage({ name }, 'en')).toBe('Name can have at most 200 characters.')
  expect(await readMessage({ rows: [{ item1Description: 'x'.repeat(5_000) }] }, 'en')).toMatch(
    /^Item 1 description can have at most \d+ characters\.$/,
  )
})
