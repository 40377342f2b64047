import { Button, Textarea } from '@mantine/core'
import { type ParsedAddress, parseAddress } from '@waybill/contract/addresses/addresses'
import { lazy, useRef, useState } from 'react'
import { LazyPart } from '../../../components/feedback/lazy-part.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { Notice, Quiet } from '../../../components/layout/text.tsx'
import { call, errorMessage } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { getDoubts, toParsedParty } from '../../addresses/shared/parsed-party.ts'
import { type PastedAddress, type Side, splitAddresses } from './split-addresses.ts'
import type { Reading } from './use-paste.ts'

/** Imported on demand, because most pasted texts are one address. */
const SeveralAddresses = lazy(() => import('./several-addresses.tsx'))

type Props = {
  /** The deployment's country: that of the sender, and of an address that does not name one. */
  country: string
  /** Fills the form. `isMoved`: the same address as before, on the other side. */
  onRead: (readings: readonly Reading[], isMoved: boolean) => void
}

type State =
  | { name: 'empty' | 'reading' | 'nothing' }
  | { name: 'filled'; readings: readonly Reading[] }
  | { name: 'several'; addresses: readonly PastedAddress[] }
  | { name: 'problem'; message: string }

const settleMs = 500
/** The maximum number of characters per address that the server parses. */
const longest = 1_000
/** About 250 addresses; longer texts should be spreadsheets. */
const maxText = 20_000

const parse = async ({ text }: PastedAddress): Promise<ParsedAddress> =>
  (await call(parseAddress, { body: { text: text.slice(0, longest) } })).fields

/**
 * "Paste anything": parses the addresses in a pasted or typed text and fills in the form. An address without a label
 * is the receiver's. Several addresses go to a bulk upload.
 */
export function PasteBox({ country, onRead }: Props) {
  const t = useT()
  const [text, setText] = useState('')
  const [state, setState] = useState<State>({ name: 'empty' })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** The latest reading: an earlier one that answers later must not overwrite the form. */
  const latest = useRef(0)
  /** Called after the parsing: that of an earlier render would undo what was typed meanwhile. */
  const onReadNow = useRef(onRead)
  onReadNow.current = onRead

  async function read(addresses: readonly PastedAddress[]) {
    latest.current += 1
    const turn = latest.current
    setState({ name: 'reading' })
    try {
      const parsed = await Promise.all(addresses.map(parse))
      if (turn !== latest.current) return
      const readings = parsed.flatMap((fields, index) =>
        Object.keys(fields).some((name) => name !== 'country')
          ? [toReading(fields, addresses[index]?.side ?? 'receiver', country)]
          : [],
      )
      if (readings.length > 0) fill(readings, false)
      else setState({ name: 'nothing' })
    } catch (error) {
      if (turn === latest.current) setState({ name: 'problem', message: errorMessage(error) })
    }
  }

  function fill(readings: readonly Reading[], isMoved: boolean) {
    setState({ name: 'filled', readings })
    onReadNow.current(readings, isMoved)
  }

  function readText(input: string) {
    const addresses = splitAddresses(input)
    const isPair = addresses.length === 2 && new Set(addresses.map(({ side }) => side)).size === 2
    if (addresses.length > 1 && !isPair) setState({ name: 'several', addresses })
    else if (addresses.length > 0) void read(addresses)
    else setState({ name: 'empty' })
  }

  function change(input: string, isPasted: boolean) {
    setText(input)
    clearTimeout(timer.current)
    // A typed text is parsed once it contains a digit: a name alone would overwrite the receiver's.
    if (isPasted) readText(input)
    else if (/\d{5}/.test(input)) timer.current = setTimeout(() => readText(input), settleMs)
    else setState({ name: 'empty' })
  }

  return (
    <>
      <Textarea
        label={t('pasteBox.label')}
        description={t('pasteBox.help')}
        placeholder={t('paste.placeholder')}
        value={text}
        maxLength={maxText}
        rows={2}
        data-paste
        error={state.name === 'problem' ? state.message : undefined}
        onChange={(event) => {
          const { inputType } = event.nativeEvent as InputEvent
          change(event.currentTarget.value, inputType === 'insertFromPaste' || inputType === 'insertFromDrop')
        }}
      />
      <div aria-live="polite">
        {state.name === 'reading' && <Quiet>{t('pasteBox.reading')}</Quiet>}
        {state.name === 'nothing' && <Quiet>{t('paste.nothing')}</Quiet>}
        {state.name === 'filled' && (
          <Filled readings={state.readings} country={country} move={(reading) => fill([reading], true)} />
        )}
        {state.name === 'several' && (
          <LazyPart fallback={<Loading />}>
            <SeveralAddresses
              addresses={state.addresses}
              parse={parse}
              readAsOne={() => void read([{ side: null, text }])}
              onProblem={(message) => setState({ name: 'problem', message })}
            />
          </LazyPart>
        )}
      </div>
    </>
  )
}

/** A sender is always in the deployment's country. */
function toReading(fields: ParsedAddress, side: Side, country: string): Reading {
  const party = toParsedParty(fields, country)
  return { side, party: side === 'sender' ? { ...party, country } : party, doubts: getDoubts(fields) }
}

type FilledProps = { readings: readonly Reading[]; country: string; move: (reading: Reading) => void }

/** The filled-in addresses. One on the wrong side can be moved with one button. */
function Filled({ readings, country, move }: FilledProps) {
  const t = useT()
  const [only] = readings
  if (!only) return null
  const isDoubtful = readings.some(({ doubts }) => Object.keys(doubts).length > 0)
  const other = only.side === 'sender' ? 'receiver' : 'sender'
  return (
    <Notice as="div" tone={isDoubtful ? 'warning' : 'success'}>
      <div>
        <p>{t(`pasteBox.filled.${readings.length > 1 ? 'both' : only.side}`)}</p>
        {isDoubtful && <p>{t('pasteBox.check')}</p>}
      </div>
      {readings.length === 1 && (other === 'receiver' || only.party.country === country) && (
        <Buttons>
          <Button size="compact-sm" onClick={() => move({ ...only, side: other })}>
            {t(`pasteBox.swap.${other}`)}
          </Button>
        </Buttons>
      )}
    </Notice>
  )
}
