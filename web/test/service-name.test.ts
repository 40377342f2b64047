import { expect, test, vi } from 'vitest'
import { useServiceName } from '../src/features/pricing/shared/price-lines.tsx'

vi.mock('../src/lib/labels.ts', () => ({
  useLabel: () => (labels: Record<string, readonly [string, string]>, value: string) => labels[value]?.[0],
}))

test('a service of another carrier has its name, so that it differs from that of our own network', () => {
  const getServiceName = useServiceName()
  const names = ['own', 'dhl', 'yunda'].map((carrier) => getServiceName(`${carrier}.e_parcel.D2D`))
  expect(names.map((name) => name?.replaceAll('\u2060', '').replaceAll('\u00a0', ' '))).toEqual([
    'E-parcel · Pick Up - Delivery',
    'E-parcel · DHL · Pick Up - Delivery',
    'E-parcel · Yunda · Pick Up - Delivery',
  ])
  expect(getServiceName('own.unknown.D2D')).toBeUndefined()
})
