import { Button } from '@mantine/core'
import type { FactorSetup } from '@waybill/contract/accounts/second-factor'
import { otp } from '@waybill/contract/ground/fields'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { copyText } from '../../../components/buttons/copy-text.ts'
import { CodeField } from '../../../components/fields/code-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import factor from './factor.module.css'

const schema = z.object({ code: otp })
/** Modules of white space around a QR code. Cameras do not detect the code without it. */
const quiet = 4

/** The result of a confirmed setup: the recovery codes, which are shown once, and the next step. */
export type Confirmation = { recoveryCodes: readonly string[]; onDone: () => void }

type Props = {
  setup: FactorSetup
  confirm: (code: string) => Promise<Confirmation>
  /** True: the error is handled. */
  onError?: (error: unknown) => boolean
}

/** Sets up an authenticator app: scan or type the secret, type the first code, save the recovery codes. */
export function FactorSetupForm({ setup, confirm, onError }: Props) {
  const t = useT()
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null)
  const form = useContractForm({
    schema,
    initial: { code: '' },
    onSubmit: async ({ code }) => setConfirmation(await confirm(code)),
    onError: (error) => onError?.(error) ?? false,
  })
  if (confirmation) return <RecoveryCodes {...confirmation} />
  const size = setup.qr.modules + 2 * quiet
  return (
    <Stack {...form.props} as="form">
      <ol className={factor.steps}>
        <li>{t('factor.installApp')}</li>
        <li>
          {t('factor.scan')}
          <svg
            className={factor.qr}
            viewBox={`${-quiet} ${-quiet} ${size} ${size}`}
            role="img"
            aria-label={t('factor.qrLabel')}
            shapeRendering="crispEdges"
          >
            <path d={setup.qr.path} />
          </svg>
          <Quiet>{t('factor.typeSecret')}</Quiet>
          <code className={factor.secret}>{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          <CopyButton text={setup.secret} label={t('factor.copyKey')} />
        </li>
        <li>{t('factor.typeFirst')}</li>
      </ol>
      <CodeField field={form.field('code')} help={t('factor.codeHelp')} />
      <Button type="submit" variant="filled" size="md" loading={form.submitting}>
        {t('factor.confirm')}
      </Button>
    </Stack>
  )
}

function RecoveryCodes({ recoveryCodes, onDone }: Confirmation) {
  const t = useT()
  const title = useRef<HTMLHeadingElement>(null)
  // The form and its focus no longer exist, so the heading takes the focus.
  useEffect(() => title.current?.focus(), [])
  return (
    <Stack>
      <h2 ref={title} tabIndex={-1} className={factor.heading}>
        {t('factor.codesTitle')}
      </h2>
      <p>{t('factor.codesText')}</p>
      <ul className={factor.codes}>
        {recoveryCodes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={recoveryCodes.join('\n')} label={t('factor.copyCodes')} />
      <Button variant="filled" size="md" onClick={onDone}>
        {t('factor.kept')}
      </Button>
    </Stack>
  )
}

/** Copies the text that it follows. If the browser refuses, that text is selected for the user to copy. */
function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useT()
  const [isCopied, setIsCopied] = useState(false)
  return (
    <>
      <Button
        size="sm"
        onClick={async ({ currentTarget: { previousElementSibling: source } }) => {
          const succeeded = await copyText(text)
          setIsCopied(succeeded)
          if (!succeeded && source) getSelection()?.selectAllChildren(source)
        }}
      >
        {isCopied ? t('actions.copied') : label}
      </Button>
      {/* Within the button, a status would hide its name from screen readers. */}
      <span className="wb-hidden" role="status">
        {isCopied ? t('actions.copied') : ''}
      </span>
    </>
  )
}
