import type { CoverageRange, StationInput, StationRecord } from '@waybill/contract/stations/manage'

/** A station in its form: coordinates are typed as text, as they are copied from a map. */
export type StationValues = Omit<StationInput, 'latitude' | 'longitude'> & { latitude: string; longitude: string }

const weekdayHours = { open: '09:00', close: '18:00' }

export const emptyRange: CoverageRange = { postcodeFrom: '', postcodeTo: '', cutOffTime: '16:00' }

/** A new station: a warehouse with all services, which most couriers open first. */
export const emptyStation = (country: string): StationValues => ({
  code: '',
  name: '',
  type: 'warehouse',
  line1: '',
  postcode: '',
  city: '',
  state: '',
  country,
  latitude: '',
  longitude: '',
  phone: '',
  openingHours: Array.from({ length: 7 }, (_, day) => (day === 6 ? null : weekdayHours)),
  serviceCodes: ['e_parcel.delivery', 'e_parcel.pickup', 'e_parcel.self_collection', 'e_parcel.drop_off'],
  coverage: [emptyRange],
  active: true,
})

/** The form's values of a stored station. */
export const toStationValues = ({ latitude, longitude, ...rest }: StationRecord): StationValues => ({
  ...rest,
  latitude: String(latitude),
  longitude: String(longitude),
})

/** An empty text is a missing number, which the field's rule refuses; it must not become zero. */
const toNumber = (text: string) => (text.trim() === '' ? undefined : Number(text.trim().replace(',', '.')))

/** The input of the contract. */
export const fromStationValues = (values: StationValues) => ({
  ...values,
  latitude: toNumber(values.latitude),
  longitude: toNumber(values.longitude),
})
