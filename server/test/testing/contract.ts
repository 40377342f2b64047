import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'

const folder = join(import.meta.dirname, '../../../contract/src')

function isEndpoint(value: unknown): value is EndpointShape {
  return typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'method' in value
}

/** Whether `value` is only the request part of an endpoint, exported for pages that must not load its schemas. */
const isRequestOnly = (value: EndpointShape, endpoints: readonly EndpointShape[]) =>
  endpoints.some((each) => each.id === value.id && Object.keys(each).length > Object.keys(value).length)

/** All endpoints that the files of the contract export. */
export async function contractEndpoints(): Promise<EndpointShape[]> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const modules = await Promise.all(files.map((name) => import(join(folder, name)) as Promise<Record<string, unknown>>))
  const shapes = modules.flatMap((module) => Object.values(module).filter(isEndpoint))
  const endpoints = shapes.filter((value) => !isRequestOnly(value, shapes))
  if (endpoints.length === 0) throw new Error(`no endpoints found below ${folder}`)
  return endpoints
}
