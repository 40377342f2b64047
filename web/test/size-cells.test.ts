import { expect, test } from 'vitest'
import { cartonCells, typedSizeCells } from '../src/features/parcels/bulk/size-cells.ts'
import { cartons } from '../src/features/parcels/shared/cartons.ts'

test('a carton fills in its size in a unit that does not depend on the settings', () => {
  expect(cartonCells(cartons.m)).toEqual({ length: '300 mm', width: '250 mm', height: '150 mm' })
})

test("a typed size without a unit is in the user's own unit", () => {
  const typed = { length: ' 12 ', width: '30 cm', height: '4.5' }
  expect(typedSizeCells(typed, 'in')).toEqual({ length: '12 in', width: '30 cm', height: '4.5 in' })
})
