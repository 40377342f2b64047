import { Button, Textarea } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { type ParsedAddress, type ParsedField, parseAddress, parsedFields } from '@waybill/contract/addresses/addresses'
import { useState } from 'react'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call, errorMessage } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCountryName } from '../../../lib/settings/countries.ts'
import { getDoubts, toParsedParty } from './parsed-party.ts'
import type { PartyValues } from './party-values.ts'
import classes from './paste-address.module.css'

type Props = {
  /** The deployment's country, used for addresses that do not name one. */
  country: string
  onUse: (party: PartyValues) => void
  onClose: () => void
}

/**
 * Parses an address copied from a chat or a mail. Shows the result with the doubtful values marked; the user confirms
 * it.
 */
export default function PasteAddress({ country, onUse, onClose }: Props) {
  const t = useT()
  const [text, setText] = useState('')
  const [parsedAddress, setParsedAddress] = useState<ParsedAddress | null>(null)
  const [running, setRunning] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()

  async function parsePaste(addressText: string) {
    if (addressText.trim() === '') {
      setProblem(t('paste.empty'))
      return
    }
    setRunning(true)
    setProblem(undefined)
    try {
      setParsedAddress((await call(parseAddress, { body: { text: addressText.trim().slice(0, 1000) } })).fields)
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      setRunning(false)
    }
  }

  return (
    <Dialog title={t('paste.title')} onClose={onClose} shape="wide">
      <Stack gap={20}>
        <Textarea
          data-autofocus
          label={t('paste.text')}
          description={t('paste.help')}
          placeholder={t('paste.placeholder')}
          value={text}
          maxLength={1000}
          rows={5}
          error={problem}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setParsedAddress(null)
          }}
          onPaste={(event) => {
            // A pasted text is parsed at once.
            const clipboardText = event.clipboardData.getData('text')
            if (text === '' && clipboardText.trim() !== '') {
              event.preventDefault()
              setText(clipboardText.slice(0, 1000))
              void parsePaste(clipboardText)
            }
          }}
        />
        <div aria-live="polite">{parsedAddress && <Found fields={parsedAddress} />}</div>
      </Stack>
      <DialogFoot>
        <Button onClick={onClose}>{t('actions.cancel')}</Button>
        {parsedAddress ? (
          <Button variant="filled" data-autofocus onClick={() => onUse(toParsedParty(parsedAddress, country))}>
            {t('paste.use')}
          </Button>
        ) : (
          <Button variant="filled" loading={running} onClick={() => void parsePaste(text)}>
            {t('paste.read')}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}

function Found({ fields }: { fields: ParsedAddress }) {
  const t = useT()
  const format = useFormat()
  const getCountryName = useCountryName()
  const filledFields = parsedFields.filter((name) => fields[name])
  const doubts = getDoubts(fields)
  const missing = (['contactName', 'phone', 'line1', 'postcode', 'city'] as const).filter((name) => !fields[name])
  if (filledFields.length === 0) return <Note>{t('paste.nothing')}</Note>
  return (
    <>
      <dl className={classes.found}>
        {filledFields.map((name: ParsedField) => {
          const { value = '' } = fields[name] ?? {}
          const sure = doubts[name] === undefined
          return (
            <div key={name} data-sure={sure}>
              <dt>{t(`fields.${name}`)}</dt>
              <dd>{name === 'country' ? getCountryName(value) : value}</dd>
              <dd className={classes.sure}>
                {sure ? <IconCheck size={16} aria-hidden /> : <IconAlertTriangle size={16} aria-hidden />}
                {t(sure ? 'paste.sure' : 'paste.doubtful')}
              </dd>
            </div>
          )
        })}
      </dl>
      {missing.length > 0 && (
        <Note>{t('paste.missing', { fields: format.list(missing.map((name) => t(`fields.${name}`))) })}</Note>
      )}
    </>
  )
}
