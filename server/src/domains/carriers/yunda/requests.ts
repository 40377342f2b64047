// Orders in the format of Yunda's open platform.
import type { Party } from '@waybill/contract/addresses/addresses'
import { kilograms, majorUnits, type Shipment } from '../rules.ts'

function buildParty(party: Party) {
  return {
    name: party.contactName,
    company: party.company ?? '',
    province: party.state,
    city: party.city,
    // The platform requires a third level, which addresses outside China don't have.
    county: party.city,
    address: [party.line1, party.line2, party.postcode].filter(Boolean).join(' '),
    phone: party.phone,
    mobile: party.phone,
  }
}

/** Converts a shipment to an order of the platform. */
export function toOrder(shipment: Shipment) {
  const { dimensions, customs, currency } = shipment
  const metres = (mm: number) => (mm / 1000).toFixed(2)
  const items = customs
    ? customs.items.map(({ description, quantity }) => ({ name: description, number: quantity, remark: '' }))
    : [{ name: shipment.contentDescription, number: 1, remark: '' }]
  return {
    order_serial_no: shipment.reference,
    khddh: shipment.trackingNumber,
    order_type: 'common',
    node_id: '350',
    sender: buildParty(shipment.sender),
    receiver: buildParty(shipment.receiver),
    items,
    weight: kilograms(shipment.weightGrams),
    ...(dimensions
      ? { size: [dimensions.lengthMm, dimensions.widthMm, dimensions.heightMm].map(metres).join(',') }
      : {}),
    ...(shipment.declaredValueMinor ? { value: majorUnits(shipment.declaredValueMinor, currency) } : {}),
    remark: shipment.trackingNumber,
  }
}
