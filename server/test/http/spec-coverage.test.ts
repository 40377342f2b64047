import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { callShape, specifiedCalls } from './specified-calls.ts'

/** Calls that are not served yet. This list only shrinks: one that is served must leave it. */
const unserved: readonly string[] = []

const specified = specifiedCalls.flatMap(({ calls }) => calls)

describe('the calls of the specification', () => {
  let test: TestApp
  let served: Set<string>
  let documented: Set<string>
  beforeAll(async () => {
    test = await buildTestApp()
    served = new Set(test.app.routes.map(({ method, url }) => callShape(`${method} ${url}`)))
    const { paths } = (await test.app.inject('/api/openapi.json')).json() as { paths: Record<string, object> }
    documented = new Set(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => callShape(`${method.toUpperCase()} ${path}`)),
      ),
    )
  })

  const isThere = (call: string) => served.has(callShape(call)) && documented.has(callShape(call))

  it('are written down once each', () => {
    expect(new Set(specified).size).toBe(specified.length)
    expect(unserved.filter((call) => !specified.includes(call))).toEqual([])
  })

  it('are served and documented, but for those that are owed', () => {
    expect(specified.filter((call) => !isThere(call) && !unserved.includes(call))).toEqual([])
  })

  it('leave the list of those owed when they are served', () => {
    expect(unserved.filter(isThere)).toEqual([])
  })

  it('are the same in the document and in the router', () => {
    const api = [...served].filter((call) => / \/(api|\{\}\/file)/.test(call) && !/ \/api\/(docs|openapi)/.test(call))
    expect([...documented].sort()).toEqual(api.sort())
  })
})
