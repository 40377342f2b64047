/**
 * The simulated DHL: the MyDHL API and Shipment Tracking - Unified over the same shipments. It refuses what DHL would
 * refuse. Never in production (config.ts).
 */
import type { DhlAccess } from '../../../config.ts'
import { type PeerAnswer, type PeerRequest, simulatedLabel } from '../peer.ts'

export type SimulatedDhlEvent = { at: Date; code: string; description: string; place: string; signedBy?: string }

export type SimulatedDhlShipment = {
  number: string
  /** The shipper's own reference. */
  reference: string
  request: Record<string, unknown>
  bookedAt: Date
  events: SimulatedDhlEvent[]
}

/** The checkpoints of a demo parcel, in order. */
const journey: readonly [code: string, description: string, where: 'origin' | 'destination'][] = [
  ['PU', 'Shipment picked up', 'origin'],
  ['PL', 'Processed', 'origin'],
  ['DF', 'Departed facility', 'origin'],
  ['AF', 'Arrived at sort facility', 'destination'],
  ['DF', 'Departed facility', 'destination'],
  ['AR', 'Arrived at delivery facility', 'destination'],
  ['WC', 'Shipment is out with courier for delivery', 'destination'],
  ['OK', 'Delivered', 'destination'],
]

type Options = {
  now: () => Date
  /** Minutes between two checkpoints; null: only those that are added by a call. */
  pace: number | null
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}GMT[+-]\d{2}:\d{2}$/
/** The unified service's own vocabulary. */
const unifiedCodes: Record<string, string> = {
  OK: 'delivered',
  NH: 'failure',
  BA: 'failure',
  RD: 'failure',
  SA: 'pre-transit',
}

export class SimulatedDhl {
  readonly access: DhlAccess
  readonly shipments: SimulatedDhlShipment[] = []
  readonly #options: Options
  #serial = 935_657_988

  constructor(url: string, options: Options) {
    this.#options = options
    this.access = {
      simulated: true,
      baseUrl: `${url}/mydhlapi`,
      username: 'simulated',
      password: 'simulated-password',
      account: '123456789',
      tracking: { url: `${url}/track`, key: 'simulated-key' },
    }
  }

  handle(request: PeerRequest): PeerAnswer {
    if (request.path.startsWith('/track/')) return this.unified(request)
    return this.express(request)
  }

  /** The MyDHL API. */
  express(request: PeerRequest): PeerAnswer {
    const { headers, method } = request
    const { username, password } = this.access
    if (headers.authorization !== `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
      return problem(401, 'Unauthorized', 'Invalid Credentials')
    if (headers['x-version'] !== '3.1.0') return problem(400, 'Bad request', '998: x-version is not supported')
    const reference = headers['message-reference'] ?? ''
    if (reference.length < 28 || reference.length > 36 || !headers['message-reference-date'])
      return problem(400, 'Bad request', 'Multiple problems found', ['message-reference: 28 to 36 characters'])
    const path = request.path.replace(/^\/mydhlapi/, '')
    if (method === 'POST' && path === '/rates') return this.#rates(request)
    if (method === 'POST' && path === '/shipments') return this.#book(request)
    if (method === 'GET' && path === '/tracking') return this.#track(request)
    const image = /^\/shipments\/(\d{10})\/get-image$/.exec(path)
    if (method === 'GET' && image) return this.#image(image[1] as string, request)
    return problem(404, 'Not found', 'No such service')
  }

  #rates({ body }: PeerRequest): PeerAnswer {
    const request = read(body)
    const [parcel] = list(request?.packages)
    if (!request || !parcel) return problem(422, 'Unprocessable', 'packages is required')
    const wrong = this.#dateProblem(request)
    if (wrong) return wrong
    const price = 40 + Number(parcel.weight) * 12.5
    const prices = (amount: number) => [
      { currencyType: 'BASEC', priceCurrency: 'EUR', price: amount / 5 },
      { currencyType: 'PULCL', priceCurrency: 'MYR', price: amount + 1 },
      { currencyType: 'BILLC', priceCurrency: 'MYR', price: amount },
    ]
    const product = (productCode: string, productName: string, amount: number, days: number) => ({
      productName,
      productCode,
      localProductCode: productCode,
      weight: { volumetric: volumetricKg(parcel), provided: Number(parcel.weight), unitOfMeasurement: 'metric' },
      totalPrice: prices(amount),
      deliveryCapabilities: { totalTransitDays: String(days), deliveryTypeCode: 'QDDC' },
    })
    return {
      status: 200,
      body: {
        products: [
          product('P', 'EXPRESS WORLDWIDE', price, 3),
          product('Y', 'EXPRESS 12:00', price * 1.2, 2),
          // Its price is in a currency that we do not use, so it must not be offered.
          { ...product('X', 'EXPRESS ENVELOPE', price, 3), totalPrice: [{ currencyType: 'OTHER', price: 1 }] },
        ],
      },
    }
  }

  #book({ body }: PeerRequest): PeerAnswer {
    const request = read(body)
    if (!request) return problem(400, 'Bad request', 'Validation error')
    const wrongs = listProblems(request, this.access.account)
    if (wrongs.length > 0)
      return problem(422, 'Unprocessable Entity', 'Multiple problems found, see Additional Details', wrongs)
    const late = this.#dateProblem(request)
    if (late) return late
    const [reference] = list(request.customerReferences)
    const shipment: SimulatedDhlShipment = {
      number: this.#nextNumber(),
      reference: String(reference?.value ?? ''),
      request: request,
      bookedAt: this.#options.now(),
      events: [],
    }
    this.shipments.push(shipment)
    return {
      status: 201,
      body: {
        url: `${this.access.baseUrl}/shipments`,
        shipmentTrackingNumber: shipment.number,
        trackingUrl: `${this.access.baseUrl}/shipments/${shipment.number}/tracking`,
        packages: [{ referenceNumber: 1, trackingNumber: `JD01460000${shipment.number}` }],
        documents: [{ imageFormat: 'PDF', content: this.#label(shipment), typeCode: 'label' }],
      },
    }
  }

  #dateProblem(request: Record<string, unknown>): PeerAnswer | null {
    const text = String(request.plannedShippingDateAndTime)
    if (!dateTime.test(text)) return problem(422, 'Unprocessable', '#/plannedShippingDateAndTime: format')
    const ahead = new Date(text.replace('GMT', '')).getTime() - this.#options.now().getTime()
    if (ahead < 0) return problem(422, 'Unprocessable', '998: shipment date is in the past')
    return ahead > 10 * 86_400_000 ? problem(422, 'Unprocessable', '998: shipment date is over 10 days ahead') : null
  }

  #track({ query }: PeerRequest): PeerAnswer {
    const reference = query.get('shipmentReference')
    if (reference !== null && query.get('shipperAccountNumber') !== this.access.account)
      return problem(400, 'Bad request', 'shipperAccountNumber is required')
    const numbers = (query.get('shipmentTrackingNumber') ?? '').split(',').filter(Boolean)
    if (numbers.length > 200) return problem(400, 'Bad request', 'Too many shipments')
    const matchingShipments = this.shipments.filter((shipment) =>
      reference === null ? numbers.includes(shipment.number) : shipment.reference === reference,
    )
    if (matchingShipments.length === 0) return problem(404, 'Not found', 'No data found')
    return {
      status: 200,
      body: {
        shipments: matchingShipments.map((shipment) => ({
          shipmentTrackingNumber: shipment.number,
          status: 'Success',
          shipmentTimestamp: shipment.bookedAt.toISOString().slice(0, 19),
          productCode: shipment.request.productCode,
          description: 'Parcel',
          events: this.listEvents(shipment).map(({ at, code, description, place, signedBy }) => {
            const local = new Date(at.getTime() + 8 * 3_600_000).toISOString()
            return {
              date: local.slice(0, 10),
              time: local.slice(11, 19),
              GMTOffset: '+08:00',
              typeCode: code,
              description,
              serviceArea: [{ code: 'KUL', description: `${place}-MALAYSIA` }],
              ...(signedBy ? { signedBy } : {}),
            }
          }),
        })),
      },
    }
  }

  #image(number: string, { query }: PeerRequest): PeerAnswer {
    const shipment = this.shipments.find((each) => each.number === number)
    if (query.get('shipperAccountNumber') !== this.access.account || !query.get('typeCode'))
      return problem(400, 'Bad request', 'shipperAccountNumber and typeCode are required')
    const month = query.get('pickupYearAndMonth') ?? ''
    if (!/^\d{4}-\d{2}$/.test(month)) return problem(400, 'Bad request', 'pickupYearAndMonth: format')
    if (!shipment || !String(shipment.request.plannedShippingDateAndTime).startsWith(month))
      return problem(404, 'Not found', 'No image found')
    const document = { shipmentTrackingNumber: number, typeCode: 'waybill', encodingFormat: 'PDF' }
    return { status: 200, body: { documents: [{ ...document, content: this.#label(shipment) }] } }
  }

  /** DHL Shipment Tracking – Unified. */
  unified({ headers, query }: PeerRequest): PeerAnswer {
    if (headers['dhl-api-key'] !== this.access.tracking?.key)
      return { status: 401, body: { title: 'Unauthorized', detail: 'Unauthorized for given resource.', status: 401 } }
    if (query.get('service') !== 'express') return { status: 400, body: { title: 'Bad request', status: 400 } }
    const shipment = this.shipments.find(({ number }) => number === query.get('trackingNumber'))
    if (!shipment) {
      const detail = 'No shipment with given tracking number found.'
      return { status: 404, body: { title: 'No result found', detail, status: 404, instance: '/shipments' } }
    }
    const events = this.listEvents(shipment)
      .map(({ at, code, description, place }) => ({
        timestamp: at.toISOString(),
        location: { address: { countryCode: 'MY', addressLocality: `${place}-MALAYSIA` } },
        statusCode: unifiedCodes[code] ?? 'transit',
        status: description,
        description,
      }))
      .reverse()
    // The real service returns the id as a number here, and as text elsewhere.
    return {
      status: 200,
      body: { shipments: [{ id: Number(shipment.number), service: 'express', status: events[0], events }] },
    }
  }

  /** The checkpoints so far: those due by the pace, then those that were added. */
  listEvents(shipment: SimulatedDhlShipment): SimulatedDhlEvent[] {
    const { pace, now } = this.#options
    if (pace === null) return shipment.events
    const details = shipment.request.customerDetails as Record<string, { postalAddress: { cityName: string } }>
    const cities = {
      origin: details.shipperDetails?.postalAddress.cityName ?? '',
      destination: details.receiverDetails?.postalAddress.cityName ?? '',
    }
    const events = journey.flatMap(([code, description, where], index) => {
      const at = new Date(shipment.bookedAt.getTime() + (index + 1) * pace * 60_000)
      return at <= now() ? [{ at, code, description, place: cities[where] }] : []
    })
    return [...events, ...shipment.events]
  }

  /** Adds a checkpoint to a shipment. */
  addEvent(number: string, event: SimulatedDhlEvent): void {
    this.shipments.find((shipment) => shipment.number === number)?.events.push(event)
  }

  /** Nine digits and a check digit: the remainder of a division by seven. */
  #nextNumber(): string {
    this.#serial += 1
    return `${this.#serial}${this.#serial % 7}`
  }

  #label({ number, request }: SimulatedDhlShipment): string {
    const receiver = (request.customerDetails as Record<string, Record<string, Record<string, string>>>).receiverDetails
    return simulatedLabel('DHL EXPRESS', number, [
      receiver?.contactInformation?.fullName ?? '',
      receiver?.postalAddress?.addressLine1 ?? '',
      receiver?.postalAddress?.addressLine2 ?? '',
      `${receiver?.postalAddress?.postalCode} ${receiver?.postalAddress?.cityName}`,
      receiver?.postalAddress?.countryCode ?? '',
    ])
  }
}

function problem(status: number, title: string, detail: string, additionalDetails?: string[]): PeerAnswer {
  const body = { instance: '/expapi', detail, title, message: title, status: String(status), additionalDetails }
  return { status, body, type: 'application/problem+json' }
}

function read(body: Buffer): Record<string, unknown> | null {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>
  } catch {
    return null
  }
}

const list = (value: unknown) => (Array.isArray(value) ? (value as Record<string, unknown>[]) : [])

/** In kg, with DHL's divisor: 10 x 20 x 30 cm are 1.2 kg. */
function volumetricKg(parcel: Record<string, unknown>): number {
  const { length = 0, width = 0, height = 0 } = (parcel.dimensions ?? {}) as Record<string, number>
  return (length * width * height) / 5000
}

/** The problems that DHL's validation would report for a shipment. */
function listProblems(request: Record<string, unknown>, account: string): string[] {
  const problems: string[] = []
  const need = (condition: unknown, text: string) => {
    if (!condition) problems.push(text)
  }
  const [shipper] = list(request.accounts)
  need(shipper?.typeCode === 'shipper' && shipper.number === account, '#/accounts: unknown shipper account')
  need((request.pickup as { isRequested?: boolean } | undefined)?.isRequested !== undefined, '#/pickup: required')
  need(/^[A-Z0-9]$/.test(String(request.productCode)), '#/productCode: required')
  for (const reference of list(request.customerReferences))
    need(String(reference.value).length <= 35, '#/customerReferences: at most 35 characters')
  const details = (request.customerDetails ?? {}) as Record<string, Record<string, Record<string, string>>>
  for (const who of ['shipperDetails', 'receiverDetails']) {
    const address = details[who]?.postalAddress ?? {}
    const contact = details[who]?.contactInformation ?? {}
    for (const line of ['addressLine1', 'addressLine2', 'addressLine3'])
      need((address[line] ?? '').length <= 45, `#/${who}/${line}: expected maxLength: 45`)
    need(address.addressLine1, `#/${who}/addressLine1: required`)
    need(/^[A-Z]{2}$/.test(address.countryCode ?? ''), `#/${who}/countryCode: two letters`)
    need(address.cityName && address.postalCode !== undefined, `#/${who}/postalAddress: required`)
    need(contact.phone && contact.companyName && contact.fullName, `#/${who}/contactInformation: required`)
  }
  const content = (request.content ?? {}) as Record<string, unknown>
  const [parcel] = list(content.packages)
  need(Number(parcel?.weight) > 0, '#/content/packages: weight')
  const sides = Object.values((parcel?.dimensions ?? {}) as Record<string, number>)
  need(sides.length === 3 && sides.every((side) => side >= 1), '#/content/packages: dimensions')
  need(content.unitOfMeasurement === 'metric' && content.description && content.incoterm, '#/content: required')
  if (content.isCustomsDeclarable === true) {
    const declaration = (content.exportDeclaration ?? {}) as Record<string, unknown>
    const items = list(declaration.lineItems)
    need(items.length > 0 && declaration.invoice, '#/content/exportDeclaration: required')
    for (const item of items) {
      const quantity = item.quantity as { value?: number; unitOfMeasurement?: string } | undefined
      need(
        item.number && item.description && Number(item.price) >= 0 && Number(quantity?.value) > 0,
        '#/content/exportDeclaration/lineItems: required',
      )
      need(/^[A-Z]{2}$/.test(String(item.manufacturerCountry)), '#/lineItems/manufacturerCountry: two letters')
    }
  }
  return problems
}
