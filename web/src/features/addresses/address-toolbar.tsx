import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { addressKindLabels } from '@waybill/contract/ground/enums'
import { useEffect, useRef, useState } from 'react'
import { Row } from '../../components/layout/boxes.tsx'
import { useT } from '../../lib/i18n.ts'
import { useChoices } from '../../lib/labels.ts'
import classes from './addresses.module.css'

const settleMs = 250

/** Searches while the user types, and filters by kind. Both values are in the URL, where the list reads them. */
export function AddressToolbar() {
  const t = useT()
  const choices = useChoices()
  const navigate = useNavigate()
  const searchParams = useSearch({ from: '/portal/address-book' })
  const [text, setText] = useState(String(searchParams.q ?? ''))
  const lastSearch = useRef(text.trim())

  function go(changes: Record<string, string | undefined>) {
    void navigate({
      to: '.',
      search: (present) => ({ ...present, page: undefined, ...changes }),
      replace: true,
      resetScroll: false,
    })
  }

  const latest = useRef(go)
  latest.current = go
  useEffect(() => {
    if (text.trim() === lastSearch.current) return
    const timer = setTimeout(() => {
      lastSearch.current = text.trim()
      latest.current({ q: text.trim() || undefined })
    }, settleMs)
    return () => clearTimeout(timer)
  }, [text])

  const kind = String(searchParams.kind ?? '')
  return (
    <Row as="search" style={{ marginBlockEnd: 16 }}>
      <TextInput
        flex="1 1 260px"
        maw={420}
        type="search"
        aria-label={t('addressBook.search')}
        placeholder={t('addressBook.search')}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={text}
        maxLength={120}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <fieldset className={classes.kinds}>
        <legend className="wb-hidden">{t('fields.kind')}</legend>
        {[{ value: '', label: t('addressBook.all') }, ...choices(addressKindLabels)].map(({ value, label }) => (
          <label key={value} className={classes.kind}>
            <input
              type="radio"
              name="kind"
              value={value}
              checked={kind === value}
              onChange={() => go({ kind: value || undefined })}
            />
            {label}
          </label>
        ))}
      </fieldset>
    </Row>
  )
}
