import type { UseQueryResult } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { ApiError } from '../src/lib/api.ts'
import { withoutRefreshError } from '../src/lib/query.ts'

const problem = (statusCode: number) =>
  new ApiError({ statusCode, code: 'internal', message: 'No.', errors: [] } as never)
const result = (data: string | undefined, error: Error) =>
  ({ data, error, status: 'error', isError: true }) as UseQueryResult<string>

test('a screen keeps what it shows if a refresh fails for a moment', () => {
  for (const error of [new TypeError('Failed to fetch'), problem(503), problem(429)])
    expect(withoutRefreshError(result('addresses', error))).toMatchObject({ data: 'addresses', error: null })
})

test('a screen without data shows the error, and so does one whose user has lost the permission', () => {
  const network = new TypeError('Failed to fetch')
  expect(withoutRefreshError(result(undefined, network)).error).toBe(network)
  for (const status of [401, 403, 404])
    expect(withoutRefreshError(result('addresses', problem(status))).error).toMatchObject({ statusCode: status })
})
