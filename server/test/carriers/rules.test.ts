import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkpointKey,
  checkpointMeaning,
  dhlCodes,
  milestones,
  unifiedCodes,
  yundaActions,
} from '../../src/domains/carriers/checkpoints.ts'
import {
  carrierReference,
  dhlAddressLines,
  dhlDateTime,
  isDhlNumber,
  isYundaNumber,
  majorUnits,
  maxAttempts,
  minorUnits,
  parseCarrierTime,
  pauseMinutes,
} from '../../src/domains/carriers/rules.ts'
import { yundaSign } from '../../src/domains/carriers/yunda/client.ts'
import { carrierNotes, effects, eventsTowards } from '../../src/domains/parcels/carrier-handover/rules-events.ts'
import { nextParcelState, type ParcelState } from '../../src/domains/parcels/status.ts'
import { newId } from '../../src/lib/ids.ts'
import { reachableStates } from '../parcels/transition-table.ts'

describe('formats of carriers', () => {
  it('sign the published example of Yunda with the documented signature', () => {
    const body = Buffer.from('{"mailno":"3120052228790"}')
    expect(yundaSign(body, '04d4ad40eeec11e9bad2d962f53dda9d')).toBe('db8547260e1e5a67dd48b5835bc6c220')
  })

  it('sign the bytes of Chinese text as they are sent', () => {
    expect(yundaSign(Buffer.from('{"name":"王"}'), 's')).not.toBe(yundaSign(Buffer.from('{"name":"\\u738b"}'), 's'))
  })

  it('write times with the offset from GMT', () => {
    const at = new Date('2019-08-04T13:00:31Z')
    expect(dhlDateTime(at, 'Europe/London')).toBe('2019-08-04T14:00:31GMT+01:00')
    expect(dhlDateTime(at, 'Asia/Kuala_Lumpur')).toBe('2019-08-04T21:00:31GMT+08:00')
    expect(dhlDateTime(at, 'UTC')).toBe('2019-08-04T13:00:31GMT+00:00')
    expect(dhlDateTime(at, 'America/New_York')).toBe('2019-08-04T09:00:31GMT-04:00')
  })

  it('read times with and without a time zone', () => {
    expect(parseCarrierTime('2026-11-21T10:00:00+08:00', 'UTC')?.toISOString()).toBe('2026-11-21T02:00:00.000Z')
    expect(parseCarrierTime('2026-11-21T10:00:00', 'Asia/Kuala_Lumpur')?.toISOString()).toBe('2026-11-21T02:00:00.000Z')
    expect(parseCarrierTime('2026-11-21 10:00:00', 'Asia/Shanghai')?.toISOString()).toBe('2026-11-21T02:00:00.000Z')
    expect(parseCarrierTime('2026-11-21T10:00:00.5Z', 'UTC')?.toISOString()).toBe('2026-11-21T10:00:00.000Z')
    for (const nonsense of ['', 'yesterday', '2026-13-45T99:99:99', '2026-11-21'])
      expect(parseCarrierTime(nonsense, 'UTC')).toBeNull()
  })

  it("check DHL's check digit and the lengths of Yunda's numbers", () => {
    for (const number of ['9356579890', '4818240420', '5584773180']) expect(isDhlNumber(number)).toBe(true)
    expect(isDhlNumber('9356579891')).toBe(false)
    expect(['3120052228790', '312005222879012', '31200522287901'].map(isYundaNumber)).toEqual([true, true, false])
  })

  it('split an address between words without loss, and reject one that does not fit', () => {
    const breakLines = (line1: string, line2: string | null = null) => dhlAddressLines({ line1, line2, state: '' })
    const words = fc.array(
      fc.string({ minLength: 1, maxLength: 60 }).filter((word) => !/\s/.test(word)),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(words, (sentence) => {
        const lines = breakLines(sentence.join(' '))
        if (lines === null) {
          expect(sentence.join(' ').length).toBeGreaterThan(45)
          return
        }
        expect(lines.length).toBeLessThanOrEqual(3)
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(45)
        expect(lines.join('').replace(/\s/g, '')).toBe(sentence.join(''))
      }),
    )
    expect(breakLines('Unit 12-3A, Block B, Menara Kinabalu Perdana,', 'Jalan Tun Razak')).toEqual([
      'Unit 12-3A, Block B, Menara Kinabalu Perdana,',
      'Jalan Tun Razak',
    ])
    expect(breakLines('x'.repeat(136))).toBeNull()
  })

  it("convert money to the carrier's format and back, with the digits of the currency", () => {
    expect([majorUnits(12_345, 'MYR'), majorUnits(12_345, 'JPY')]).toEqual([123.45, 12_345])
    expect([minorUnits(123.455, 'MYR'), minorUnits(500, 'JPY')]).toEqual([12_346, 500])
  })

  it('build a parcel reference within the length limit of both carriers', () => {
    expect(carrierReference(newId())).toMatch(/^[0-9a-f]{32}$/)
  })

  it('increase the wait after each attempt up to a limit', () => {
    const pauses = Array.from({ length: maxAttempts }, (_, n) => pauseMinutes(n + 1))
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
    expect(pauses[0]).toBe(1)
    expect(pauseMinutes(1000)).toBe(pauses.at(-1))
  })
})

describe('status codes of carriers', () => {
  const state = (status: ParcelState['status'], overrides: Partial<ParcelState> = {}): ParcelState => ({
    status,
    deliveryMode: 'D2D',
    handedOver: !status.startsWith('pending'),
    leg: 'outbound',
    ...overrides,
  })
  const getEvents = (milestone: keyof typeof effects, start: ParcelState) =>
    eventsTowards(start, effects[milestone].events, effects[milestone].via)

  it('include every documented code', () => {
    const dhl = 'PU PL DF AF AR WC OK PD NH BA ND RD RT OH IC CR UD CD CC SA'.split(' ')
    expect(Object.keys(dhlCodes).sort()).toEqual(dhl.sort())
    const yunda =
      'ACCEPT GOT ARRIVAL DEPARTURE SENT INBOUND OUTBOUND SIGNED SIGNFAIL RETURN ISSUE REJECTION OTHER ' +
      'OVERSEA_IN OVERSEA_OUT CLEARANCE_START CLEARANCE_FINISH CLEARANCE_FAIL OVERSEA_ARRIVAL OVERSEA_DEPARTURE ' +
      'TRANSFER'
    expect(Object.keys(yundaActions).sort()).toEqual(yunda.split(' ').sort())
    expect(Object.keys(unifiedCodes).sort()).toEqual(['delivered', 'failure', 'pre-transit', 'transit', 'unknown'])
  })

  it.each([
    ['WC', 'out_for_delivery', undefined],
    ['OK', 'delivered', undefined],
    ['NH', 'attempt_failed', 'not_home'],
    ['BA', 'attempt_failed', 'bad_address'],
    ['RD', 'attempt_failed', 'refused'],
    ['UD', 'customs_delay', undefined],
  ])('map DHL %s to %s', (code, milestone, reason) => {
    expect(checkpointMeaning(dhlCodes, code)).toEqual(reason ? { milestone, reason } : { milestone })
  })

  it('are shown but change nothing if unknown, even with the name of an inherited property', () => {
    for (const code of ['ZZ', 'constructor', '__proto__', 'toString', ''])
      expect(checkpointMeaning(dhlCodes, code)).toEqual({ milestone: 'note' })
  })

  it('change a parcel only as the transition table allows', () => {
    expect(getEvents('collected', state('pending_pickup'))).toEqual(['picked_up'])
    expect(getEvents('collected', state('pending_dropoff', { deliveryMode: 'P2D' }))).toEqual(['accepted'])
    expect(getEvents('processed', state('inbound'))).toEqual(['sorted'])
    expect(getEvents('delivered', state('delivering'))).toEqual(['delivered'])
    expect(getEvents('delivered', state('inbound', { deliveryMode: 'D2P' }))).toEqual(['handed_over'])
    expect(getEvents('delivered', state('recall'))).toEqual(['return_received'])
    expect(getEvents('returning', state('fail-to-deliver'))).toEqual(['recalled'])
  })

  it('add the steps that the carrier did not report', () => {
    expect(getEvents('delivered', state('pending_pickup'))).toEqual(['picked_up', 'out_for_delivery', 'delivered'])
    expect(getEvents('out_for_delivery', state('outbound'))).toEqual(['arrived', 'out_for_delivery'])
    expect(getEvents('attempt_failed', state('inbound'))).toEqual(['out_for_delivery', 'attempt_failed'])
    expect(getEvents('delivered', state('fail-to-deliver'))).toEqual(['next_attempt', 'delivered'])
    expect(getEvents('returning', state('delivering'))).toEqual(['attempt_failed', 'recalled'])
  })

  it('never change a parcel that is delivered, unpaid or cancelled', () => {
    for (const status of [
      'completed',
      'collected',
      'cancel',
      'refunded',
      'outstanding',
      'pending',
      'incart',
      'pending_payment',
    ] as const)
      for (const milestone of milestones)
        expect(getEvents(milestone, state(status, { handedOver: true })), `${status} ${milestone}`).toBeNull()
  })

  it('lead only to states of the transition table, from every state', () => {
    for (const start of reachableStates())
      for (const milestone of milestones) {
        let now: ParcelState | null = start
        for (const event of getEvents(milestone, start) ?? []) now = now && nextParcelState(now, event)
        expect(now, `${JSON.stringify(start)} ${milestone}`).not.toBeNull()
      }
  })

  it('have a text in every language', async () => {
    const { loadTranslations } = await import('../../src/lib/i18n.ts')
    const translations = loadTranslations()
    for (const locale of ['en', 'cn_zh'] as const)
      for (const note of carrierNotes) expect(translations(locale)(`event.${note}`)).not.toBe(`event.${note}`)
  })

  it('record an event once if several services report it', () => {
    const at = new Date('2026-11-21T10:00:31Z')
    const checkpoint = {
      at,
      code: 'OK',
      milestone: 'delivered',
      reason: null,
      place: 'Ipoh',
      detail: 'Delivered',
      signedBy: 'Lim',
    } as const
    const other = {
      ...checkpoint,
      at: new Date('2026-11-21T10:00:00Z'),
      code: 'delivered',
      detail: 'DELIVERED',
      signedBy: null,
    }
    expect(checkpointKey(other)).toBe(checkpointKey(checkpoint))
  })
})
