import { IconPlus } from '@tabler/icons-react'
import { type Address, listAddresses } from '@waybill/contract/addresses/addresses'
import { useEffect, useState } from 'react'
import { Phone } from '../../../components/display/phone-link.tsx'
import { Suggest } from '../../../components/fields/suggest.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import classes from './address.module.css'

const settleMs = 150
const suggestionLimit = 8
const newOne = 'new'

type Props = {
  label: string
  placeholder?: string
  /** The kind of addresses to search; all by default. */
  kind?: 'sender' | 'receiver'
  onPick: (address: Address) => void
  /** Offers to create an address from the typed text. Without it, an address can only be selected. */
  onNew?: (text: string) => void
  autoFocus?: boolean
}

/**
 * Type-ahead search of the address book: names, phones, companies, streets. Shows the latest addresses before anything
 * is typed.
 */
export function AddressSearch({ label, placeholder, kind, onPick, onNew, autoFocus }: Props) {
  const t = useT()
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), settleMs)
    return () => clearTimeout(timer)
  }, [text])
  const { data, isFetching } = useCall(
    listAddresses,
    { query: { search, limit: suggestionLimit, sort: '-updatedAt', ...(kind ? { kind } : {}) } },
    { keepPrevious: true },
  )
  const addresses = data?.items ?? []
  const isCurrent = search === text.trim() && !isFetching
  const suggestions = addresses.map((address) => ({ id: address.id, content: <AddressOption address={address} /> }))
  const writeNew = {
    id: newOne,
    content: (
      <span className={classes.new}>
        <IconPlus size={18} aria-hidden />
        {text.trim() === '' ? t('addressBook.writeNew') : t('addressBook.writeNewNamed', { name: text.trim() })}
      </span>
    ),
  }

  function pick(id: string) {
    const match = addresses.find((address) => address.id === id)
    if (match) onPick(match)
    else onNew?.(text.trim())
    setText('')
  }

  return (
    <Suggest
      label={label}
      placeholder={placeholder}
      text={text}
      onText={setText}
      suggestions={onNew ? [...suggestions, writeNew] : suggestions}
      onPick={pick}
      firstIsMeant={search !== '' && addresses.length > 0}
      settled={isCurrent}
      nothing={isCurrent}
      autoFocus={autoFocus}
    />
  )
}

function AddressOption({ address }: { address: Address }) {
  return (
    <Stack as="span" gap={0}>
      <strong>
        {address.contactName}
        {address.company && <Quiet> · {address.company}</Quiet>}
      </strong>
      <Quiet>
        {address.line1}, {address.postcode} {address.city} · <Phone phone={address.phone} />
      </Quiet>
    </Stack>
  )
}
