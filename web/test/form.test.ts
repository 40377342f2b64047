import { deviceName } from '@waybill/contract/accounts/device-name'
import { register } from '@waybill/contract/accounts/sign-in'
import { parcelInput } from '@waybill/contract/parcels/parcels'
import { expect, test } from 'vitest'
import { isRequired, valueAt, withValue } from '../src/components/form/paths.ts'

test('reads and changes a value by its path, and keeps its sibling objects', () => {
  const values = { sender: { city: 'Ipoh' }, items: [{ quantity: 1 }, { quantity: 2 }] }
  expect(valueAt(values, 'items.1.quantity')).toBe(2)
  const newValues = withValue(values, 'items.0.quantity', 5)
  expect(newValues).toEqual({ sender: { city: 'Ipoh' }, items: [{ quantity: 5 }, { quantity: 2 }] })
  expect(newValues.sender).toBe(values.sender)
  expect(newValues.items[1]).toBe(values.items[1])
  expect(withValue({} as { a?: { b?: number } }, 'a.b', 1)).toEqual({ a: { b: 1 } })
})

test('reads from the schema which fields are required', () => {
  expect(isRequired(register.body, 'email')).toBe(true)
  expect(isRequired(register.body, 'companyName')).toBe(false)
  expect(isRequired(register.body, 'language')).toBe(false)
  expect(isRequired(parcelInput, 'sender.postcode')).toBe(true)
  expect(isRequired(parcelInput, 'sender.company')).toBe(false)
  expect(isRequired(parcelInput, 'dimensions')).toBe(false)
})

test('names a device by its browser and operating system', () => {
  expect(
    deviceName(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 ' +
        'Safari/604.1',
    ),
  ).toBe('Safari, iOS')
  expect(deviceName('Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0')).toBe(
    'Edge, Windows',
  )
  expect(deviceName('curl/8')).toBeNull()
  expect(deviceName(null)).toBeNull()
})
