import { settingKeys, settingRules } from '@waybill/contract/settings/setting-rules'
import { describe, expect, it } from 'vitest'
import {
  changesIn,
  fromFormValues,
  sectionFields,
  sectionSchema,
  toFormValues,
} from '../src/features/settings/form-values.ts'
import { settingSections } from '../src/features/settings/sections.ts'

/** Sample values of the server, one of each kind. */
const values: Record<string, unknown> = {
  'price.serviceCharge': { type: 'fixed', value: 50 },
  'price.insuranceTiers': [{ upToMinor: 20_000, premiumMinor: 100 }],
  'cod.payoutWeekday': null,
  contentTypes: ['documents'],
  'contents.prohibited': [{ name: { en: 'Weapons', cn_zh: '武器' }, scope: 'all', words: ['rifle', 'pistol'] }],
  countries: null,
  'mail.fromAddress': null,
}
const section = (id: string) => {
  const section = settingSections.find((one) => one.id === id)
  if (!section) throw new Error(`no section ${id}`)
  return section
}

describe('the sections of the settings', () => {
  it('contain every setting once', () => {
    const keys = settingSections.flatMap(sectionFields).map(({ key }) => key)
    expect([...keys].sort()).toEqual([...settingKeys].sort())
  })

  it('send no change if nothing was typed', () => {
    for (const one of settingSections) {
      const before = Object.fromEntries(sectionFields(one).map(({ key }) => [key, values[key] ?? null]))
      const plain = Object.fromEntries(
        sectionFields(one)
          .filter(({ key }) => key in values)
          .map(({ key }) => [key, before[key]]),
      )
      const only = { ...one, groups: [{ title: '', fields: sectionFields(one).filter(({ key }) => key in plain) }] }
      expect(changesIn(only, fromFormValues(only, toFormValues(only, plain)), plain)).toEqual({})
    }
  })

  it('validate values by the rules of the contract, and report each problem at its field', () => {
    const fees = section('fees')
    const tiers = {
      ...fees,
      groups: [{ title: '', fields: sectionFields(fees).filter(({ kind }) => kind === 'tiers') }],
    }
    const wrong = fromFormValues(tiers, { price: { insuranceTiers: [{ upToMinor: 100, premiumMinor: null }] } })
    const parseResult = sectionSchema(tiers).safeParse(wrong)
    expect(parseResult.error?.issues.map(({ path }) => path.join('.'))).toEqual(['price.insuranceTiers.0.premiumMinor'])
    expect(sectionSchema(tiers).safeParse(fromFormValues(tiers, toFormValues(tiers, values))).success).toBe(true)
  })

  it('convert lines to lists and empty values to null, and do not change a secret that is left empty', () => {
    const contents = {
      ...section('parcels'),
      groups: [{ title: '', fields: sectionFields(section('parcels')).filter(({ kind }) => kind === 'prohibited') }],
    }
    const form = toFormValues(contents, values) as { contents: { prohibited: { words: string }[] } }
    expect(form.contents.prohibited[0]?.words).toBe('rifle\npistol')
    const mail = {
      ...section('access'),
      groups: [
        {
          title: '',
          fields: sectionFields(section('access')).filter(({ key }) => key === 'mail.password' || key === 'mail.host'),
        },
      ],
    }
    const blankValues = fromFormValues(mail, { mail: { password: '', host: ' ' } })
    expect(changesIn(mail, blankValues, { 'mail.host': null })).toEqual({})
    const newValues = fromFormValues(mail, { mail: { password: 'new', host: 'smtp.example.com' } })
    expect(changesIn(mail, newValues, { 'mail.host': null })).toEqual({
      'mail.password': 'new',
      'mail.host': 'smtp.example.com',
    })
    expect(settingRules['mail.host'].safeParse('smtp.example.com').success).toBe(true)
  })
})
