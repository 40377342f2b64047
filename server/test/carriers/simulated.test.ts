import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { startSimulatedCarriers } from '../../src/demo/peers/carriers.ts'
import { SimulatedDhl } from '../../src/demo/peers/dhl/simulated-dhl.ts'
import { dhlClient } from '../../src/domains/carriers/dhl/client.ts'
import { carrierReference, isDhlNumber } from '../../src/domains/carriers/rules.ts'
import { newId } from '../../src/lib/ids.ts'
import { testParty, testReceiver } from '../testing/factories/parcels.ts'
import { openPaper } from '../testing/paper.ts'

const environment = { NODE_ENV: 'test', DEMO: 'on', SECRET_KEY: 'a secret of the tests that is long enough' }

describe('the simulated carriers of the demo', () => {
  it('never run in production or outside the demo', async () => {
    const config = loadConfig({ ...environment, DEMO: 'off' }, [])
    await expect(startSimulatedCarriers(config)).rejects.toThrow('demo only')
    await expect(startSimulatedCarriers({ ...config, demo: true, env: 'production' })).rejects.toThrow('demo only')
  })

  it('are not used for carriers with credentials; the others are marked as simulated', async () => {
    const dhlCredentials = {
      DHL_EXPRESS_USERNAME: 'us',
      DHL_EXPRESS_PASSWORD: 'secret',
      DHL_EXPRESS_ACCOUNT: '123456789',
    }
    const carriers = await startSimulatedCarriers(loadConfig({ ...environment, ...dhlCredentials }, []))
    onTestFinished(() => carriers.stop())
    expect(carriers.access.dhl).toMatchObject({ username: 'us', simulated: false })
    expect(carriers.access.yunda).toMatchObject({ simulated: true })
  })

  it('book with the real protocol, and deliver the parcels in time', async () => {
    const carriers = await startSimulatedCarriers(loadConfig(environment, []))
    onTestFinished(() => carriers.stop())
    if (!carriers.access.dhl) throw new Error('no DHL')
    const clock = { now: () => new Date() }
    const booking = await dhlClient(carriers.access.dhl, 5000, clock).book({
      reference: carrierReference(newId()),
      trackingNumber: 'WB12345678905',
      scope: 'domestic',
      serviceType: 'e_parcel',
      sender: testParty(),
      receiver: testReceiver({ contactName: 'O\\Neil (Ipoh) 王' }),
      contentDescription: 'Tea',
      weightGrams: 500,
      dimensions: null,
      declaredValueMinor: null,
      codAmountMinor: null,
      currency: 'MYR',
      customs: null,
      readyAt: new Date(Date.now() + 3_600_000),
      timeZone: 'Asia/Kuala_Lumpur',
    })
    expect(isDhlNumber(booking.carrierNumber)).toBe(true)
    const paper = await openPaper(booking.label ?? Buffer.alloc(0))
    expect(paper.pages).toHaveLength(1)

    let now = new Date('2026-11-20T00:00:00Z')
    const dhl = new SimulatedDhl('http://nowhere', { now: () => now, pace: 10 })
    const customerDetails = {
      shipperDetails: { postalAddress: { cityName: 'Ipoh' } },
      receiverDetails: { postalAddress: { cityName: 'Klang' } },
    }
    const shipment = { number: '9356579890', reference: 'r', request: { customerDetails }, bookedAt: now, events: [] }
    expect(dhl.listEvents(shipment)).toEqual([])
    now = new Date('2026-11-20T00:21:00Z')
    expect(dhl.listEvents(shipment).map(({ code }) => code)).toEqual(['PU', 'PL'])
    now = new Date('2026-11-21T00:00:00Z')
    expect(dhl.listEvents(shipment).at(-1)).toMatchObject({ code: 'OK', place: 'Klang' })
  })
})
