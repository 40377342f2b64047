// Request bodies of the MyDHL API.
import type { Party } from '@waybill/contract/addresses/addresses'
import { type Customs, customsTotal } from '@waybill/contract/parcels/customs'
import type { DhlAccess } from '../../../config.ts'
import { clip } from '../../../lib/text/clip.ts'
import { centimetres, dhlAddressLines, dhlDateTime, kilograms, majorUnits, type Shipment } from '../rules.ts'
import { CarrierError } from '../wire.ts'

/** The maximum length of DHL's fields. */
const limits = { name: 255, company: 100, phone: 70, city: 45, postcode: 12, description: 70, item: 512 }

const isDocument = ({ serviceType }: Shipment) => serviceType === 'document'
const isCustomsDeclarable = (shipment: Shipment) => shipment.scope === 'international' && !isDocument(shipment)

function getProductCode(shipment: Shipment): string {
  if (shipment.scope === 'domestic') return 'N'
  return isDocument(shipment) ? 'D' : 'P'
}

/** The value of the declared items, or of the parcel if there is no declaration. */
function declaredValue({ customs, declaredValueMinor, currency }: Shipment): number {
  return majorUnits(customs ? customsTotal(customs) : (declaredValueMinor ?? 0), currency)
}

function buildPackage({ weightGrams, dimensions }: Shipment) {
  const { lengthMm, widthMm, heightMm } = dimensions ?? { lengthMm: 10, widthMm: 10, heightMm: 10 }
  return {
    weight: kilograms(weightGrams),
    dimensions: { length: centimetres(lengthMm), width: centimetres(widthMm), height: centimetres(heightMm) },
  }
}

const buildPlace = ({ postcode, city, country }: Party) => ({
  postalCode: clip(postcode, limits.postcode),
  cityName: clip(city, limits.city),
  countryCode: country.toUpperCase(),
})

/** The body of `POST /rates`. */
export function rateRequest(access: DhlAccess, shipment: Shipment) {
  return {
    customerDetails: { shipperDetails: buildPlace(shipment.sender), receiverDetails: buildPlace(shipment.receiver) },
    accounts: [{ typeCode: 'shipper', number: access.account }],
    plannedShippingDateAndTime: dhlDateTime(shipment.readyAt, shipment.timeZone),
    unitOfMeasurement: 'metric',
    isCustomsDeclarable: isCustomsDeclarable(shipment),
    packages: [buildPackage(shipment)],
  }
}

function buildParty(party: Party) {
  const lines = dhlAddressLines(party)
  // Such a parcel is not sold (parcels/cart/prices.ts); its address may have been corrected since.
  if (!lines) throw new CarrierError('incomplete', 'address over 135 characters')
  const [addressLine1, addressLine2, addressLine3] = lines
  return {
    postalAddress: {
      ...buildPlace(party),
      addressLine1,
      ...(addressLine2 ? { addressLine2 } : {}),
      ...(addressLine3 ? { addressLine3 } : {}),
    },
    contactInformation: {
      phone: clip(party.phone, limits.phone),
      companyName: clip(party.company ?? party.contactName, limits.company),
      fullName: clip(party.contactName, limits.name),
      ...(party.email ? { email: party.email } : {}),
    },
  }
}

/** The body of `POST /shipments`. Throws incomplete (CarrierError) if DHL would refuse the shipment. */
export function shipmentRequest(access: DhlAccess, shipment: Shipment) {
  const declarable = isCustomsDeclarable(shipment)
  if (declarable && !shipment.customs) throw new CarrierError('incomplete', 'customs items')
  return {
    plannedShippingDateAndTime: dhlDateTime(shipment.readyAt, shipment.timeZone),
    // We bring parcels to DHL ourselves.
    pickup: { isRequested: false },
    productCode: getProductCode(shipment),
    accounts: [{ typeCode: 'shipper', number: access.account }],
    customerDetails: { shipperDetails: buildParty(shipment.sender), receiverDetails: buildParty(shipment.receiver) },
    // `find` searches for the shipment by this reference if the response to the booking was lost.
    customerReferences: [{ typeCode: 'CU', value: shipment.reference }],
    content: {
      packages: [
        {
          ...buildPackage(shipment),
          customerReferences: [{ typeCode: 'CU', value: shipment.trackingNumber }],
        },
      ],
      isCustomsDeclarable: declarable,
      description: clip(shipment.contentDescription, limits.description),
      incoterm: 'DAP',
      unitOfMeasurement: 'metric',
      ...(declarable && shipment.customs
        ? {
            declaredValue: declaredValue(shipment),
            declaredValueCurrency: shipment.currency,
            exportDeclaration: exportDeclaration(shipment, shipment.customs),
          }
        : {}),
    },
    outputImageProperties: { encodingFormat: 'pdf', imageOptions: [{ typeCode: 'label' }] },
  }
}

/** Our export reasons as DHL's codes. */
const exportReasons: Record<Customs['reason'], string> = {
  gift: 'gift',
  documents: 'permanent',
  sale: 'commercial_purpose_or_sale',
  sample: 'sample',
  returned_goods: 'return',
  other: 'permanent',
}

function exportDeclaration(shipment: Shipment, customs: Customs) {
  const { currency, weightGrams, readyAt, timeZone } = shipment
  const pieces = customs.items.reduce((sum, { quantity }) => sum + quantity, 0)
  return {
    lineItems: customs.items.map((item, index) => {
      // An item without a weight gets its share of the parcel's weight.
      const grams = item.netWeightGrams ?? Math.max(1, Math.floor((weightGrams * item.quantity) / pieces))
      return {
        number: index + 1,
        description: clip(item.description, limits.item),
        price: majorUnits(item.unitValueMinor, currency),
        priceCurrency: currency,
        quantity: { value: item.quantity, unitOfMeasurement: 'PCS' },
        manufacturerCountry: item.originCountry.toUpperCase(),
        weight: { netValue: kilograms(grams), grossValue: kilograms(grams) },
        ...(item.hsCode ? { commodityCodes: [{ typeCode: 'outbound', value: item.hsCode }] } : {}),
      }
    }),
    invoice: {
      number: customs.invoiceNumber ?? shipment.trackingNumber,
      date: dhlDateTime(readyAt, timeZone).slice(0, 10),
    },
    exportReason: customs.reasonText ?? customs.reason,
    exportReasonType: exportReasons[customs.reason],
    incoterm: 'DAP',
  }
}
