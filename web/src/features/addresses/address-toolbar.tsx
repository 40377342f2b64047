import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { addressKindLabels } from '@waybill/contract/ground/enums/enums'
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
  const searched = String(searchParams.q ?? '')
  /** `own`: the search that this field has started last. */
  const [{ text, own, inUrl }, setState] = useState({ text: searched, own: searched, inUrl: searched })
  // A search from elsewhere, such as a link or Back, replaces the text.
  if (searched !== inUrl) setState({ text: searched === own ? text : searched, own: searched, inUrl: searched })

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
    const words = text.trim()
    if (words === own) return
    const timer = setTimeout(() => {
      setState((present) => ({ ...present, own: words }))
      latest.current({ q: words || undefined })
    }, settleMs)
    return () => clearTimeout(timer)
  }, [text, own])

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
        onChange={({ currentTarget: { value } }) => setState((present) => ({ ...present, text: value }))}
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
