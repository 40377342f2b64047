/** Times in a CSV file: the local time of a time zone, to the minute. */
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { writeCsv } from '../../src/lib/sheet/write.ts'

async function writeTimes(timeZone: string, times: readonly string[]): Promise<string[]> {
  const rows = times.map((time) => [new Date(time)])
  const lines = (await text(writeCsv(rows, { columns: [{ header: 'Time', kind: 'time' }], timeZone }))).split('\r\n')
  return lines.slice(1, times.length + 1)
}

test('times have the correct date when dates alternate, also at midnight and before 1970', async () => {
  const times = ['2026-03-01T15:59:59Z', '2026-03-01T16:00:00Z', '2026-03-01T15:00:30Z', '1969-12-31T15:58:00Z']
  expect(await writeTimes('Asia/Kuala_Lumpur', times)).toEqual([
    '2026-03-01 23:59',
    '2026-03-02 00:00',
    '2026-03-01 23:00',
    '1969-12-31 23:28',
  ])
})

test('times follow the change to daylight saving time', async () => {
  const times = ['2026-03-08T06:59:00Z', '2026-03-08T07:00:00Z']
  expect(await writeTimes('America/New_York', times)).toEqual(['2026-03-08 01:59', '2026-03-08 03:00'])
})
