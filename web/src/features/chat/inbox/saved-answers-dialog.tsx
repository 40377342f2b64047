import { Button, Textarea } from '@mantine/core'
import { createAnswer, deleteAnswer, listAnswers, type SavedAnswer, updateAnswer } from '@waybill/contract/chat/inbox'
import type { Locale } from '@waybill/contract/ground/constants'
import { intlLocale } from '@waybill/contract/ground/constants'
import { useState } from 'react'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../../components/feedback/use-record-version.ts'
import { useSend } from '../../../components/feedback/use-send.ts'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { fieldProps } from '../../../components/form/field-props.ts'
import { languageChoices } from '../../../components/form/language-choices.ts'
import { Buttons, LineList } from '../../../components/layout/boxes.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'

/** All saved answers, with actions to change, delete or add one. */
export function SavedAnswersDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const answers = useCall(listAnswers, {})
  const [edited, setEdited] = useState<SavedAnswer | 'new' | null>(null)
  const remove = useSend(({ id }: SavedAnswer) => call(deleteAnswer, { params: { id } }), {
    confirm: ({ title }) => ({
      title: t('inbox.deleteAnswer'),
      message: t('inbox.deleteAnswerText', { title }),
      action: t('actions.remove'),
    }),
    refresh: [listAnswers],
    success: t('inbox.answerDeleted'),
  })
  if (edited) return <AnswerDialog answer={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
  const items = answers.data?.items
  return (
    <Dialog title={t('inbox.answers')} shape="wide" onClose={onClose}>
      <Note>{t('inbox.answersLead')}</Note>
      {answers.error ? (
        <ErrorPanel error={answers.error} retry={() => void answers.refetch()} />
      ) : items === undefined ? (
        <Loading />
      ) : (
        items.length === 0 && <Note>{t('inbox.noAnswers')}</Note>
      )}
      <LineList>
        {items?.map((answer) => (
          <li key={answer.id}>
            <div lang={intlLocale(answer.language)}>
              <strong>{answer.title}</strong>
              <Quiet style={{ whiteSpace: 'pre-line' }}>{answer.text}</Quiet>
            </div>
            <Buttons>
              <Button size="compact-sm" onClick={() => setEdited(answer)}>
                {t('actions.edit')}
              </Button>
              <Button size="compact-sm" disabled={remove.pending} onClick={() => void remove.send(answer)}>
                {t('actions.remove')}
              </Button>
            </Buttons>
          </li>
        ))}
      </LineList>
      <DialogFoot>
        <Button onClick={onClose}>{t('actions.close')}</Button>
        <Button variant="filled" onClick={() => setEdited('new')}>
          {t('actions.new')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

/** The answer as it is now; the same one if it was removed, so that saving reports that. */
async function loadAnswer(answer: SavedAnswer): Promise<SavedAnswer> {
  const { items } = await call(listAnswers, {})
  return items.find(({ id }) => id === answer.id) ?? answer
}

type Values = { title: string; text: string; language: Locale }

function AnswerDialog({ answer, onClose }: { answer: SavedAnswer | null; onClose: () => void }) {
  const t = useT()
  const language = useLanguage()
  const { version, conflict, onError } = useRecordVersion(answer, loadAnswer)
  const form = useContractForm<typeof createAnswer.body, Values>({
    schema: createAnswer.body,
    initial: { title: answer?.title ?? '', text: answer?.text ?? '', language: answer?.language ?? language },
    onSubmit: (body): Promise<unknown> =>
      answer
        ? call(updateAnswer, { params: { id: answer.id }, body: { ...body, version } })
        : call(createAnswer, { body }),
    refresh: [listAnswers],
    refreshOnError: [listAnswers],
    success: t('inbox.answerSaved'),
    onSuccess: onClose,
    onError,
  })
  const text = form.field('text')
  return (
    <SaveDialog
      title={answer ? t('inbox.editAnswer') : t('inbox.newAnswer')}
      shape="wide"
      onClose={onClose}
      form={form}
      conflict={conflict}
    >
      <TextField field={form.field('title')} autoComplete="off" data-autofocus />
      <SelectField field={form.field('language')} choices={languageChoices} />
      <Textarea
        {...fieldProps(text)}
        value={text.value}
        onChange={(event) => text.onChange(event.currentTarget.value)}
        autosize
        minRows={4}
        maxRows={14}
      />
    </SaveDialog>
  )
}
