import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { callShape, specifiedCalls } from './specified-calls.ts'

/** Calls without a route. This list may only shrink: a call with a route must be removed. */
const missingRoutes: readonly string[] = []

const specification = specifiedCalls.flatMap(({ calls }) => calls)

describe('the calls of the specification', () => {
  let test: TestApp
  let routes: Set<string>
  let documentedCalls: Set<string>
  beforeAll(async () => {
    test = await buildTestApp()
    routes = new Set(test.app.routes.map(({ method, url }) => callShape(`${method} ${url}`)))
    const { paths } = (await test.app.inject('/api/openapi.json')).json() as { paths: Record<string, object> }
    documentedCalls = new Set(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => callShape(`${method.toUpperCase()} ${path}`)),
      ),
    )
  })

  const isThere = (call: string) => routes.has(callShape(call)) && documentedCalls.has(callShape(call))

  it('are listed once each', () => {
    expect(new Set(specification).size).toBe(specification.length)
    expect(missingRoutes.filter((call) => !specification.includes(call))).toEqual([])
  })

  it('have a route and documentation, except the calls without a route', () => {
    expect(specification.filter((call) => !isThere(call) && !missingRoutes.includes(call))).toEqual([])
  })

  it('are removed from the list of missing calls when they have a route', () => {
    expect(missingRoutes.filter(isThere)).toEqual([])
  })

  it('are the same in the OpenAPI document and in the router', () => {
    const api = [...routes].filter((call) => / \/(api|\{\}\/file)/.test(call) && !/ \/api\/(docs|openapi)/.test(call))
    expect([...documentedCalls].sort()).toEqual(api.sort())
  })
})
