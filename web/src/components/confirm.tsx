export type ConfirmQuestion = {
  title: string
  message: string
  /** What the button does, as a verb: "Remove", never "OK". */
  action: string
  /** The other button, if "Cancel" could be read as the action. */
  keep?: string
}
type Question = ConfirmQuestion & { answer: (yes: boolean) => void }

let question: Question | null = null
const listeners = new Set<() => void>()

function update(next: Question | null): void {
  question = next
  for (const listener of listeners) listener()
}

/**
 * Asks before something that cannot be undone: `if (await confirm({ title, message, action: t('actions.remove') }))`.
 */
export function confirm(content: ConfirmQuestion): Promise<boolean> {
  question?.answer(false)
  return new Promise((resolve) => {
    update({
      ...content,
      answer: (yes) => {
        update(null)
        resolve(yes)
      },
    })
  })
}

/** For `ConfirmHost`: the open question, or null. */
export function getQuestion(): Question | null {
  return question
}

export function subscribeToQuestion(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
