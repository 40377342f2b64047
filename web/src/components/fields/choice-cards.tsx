import { type ReactNode, useId } from 'react'
import classes from './choice-cards.module.css'

export type CardChoice = {
  value: string
  title: ReactNode
  /** A second line. */
  text?: ReactNode
  /** At the right: a price. */
  aside?: ReactNode
  disabled?: boolean
}

type Props = {
  legend: string
  /** The name of the inputs: where a server's field error belongs. */
  name: string
  choices: readonly CardChoice[]
  value: string | null
  onChange: (value: string) => void
  error?: string | undefined
  /**
   * `lines`: one below the other; `pairs`: two beside each other where there is room; `row`: small ones, the frame
   * alone says which is chosen.
   */
  layout?: 'lines' | 'pairs' | 'row'
  hiddenLegend?: boolean
}

/** One of a few, each with what there is to say about it. Radio buttons underneath: arrow keys go through them. */
export function ChoiceCards(props: Props) {
  const { legend, name, choices, value, onChange, error, layout = 'lines', hiddenLegend = false } = props
  const id = useId()
  return (
    <fieldset className={classes.root} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={hiddenLegend ? 'wb-hidden' : classes.legend}>{legend}</legend>
      <div className={layout === 'row' ? classes.row : classes.list} data-layout={layout}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.card} data-disabled={choice.disabled}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.disabled}
              aria-invalid={error !== undefined}
              onChange={() => onChange(choice.value)}
            />
            <span className={classes.words}>
              <span className={classes.title}>{choice.title}</span>
              {choice.text && <span className={classes.text}>{choice.text}</span>}
            </span>
            {choice.aside && <span className={classes.aside}>{choice.aside}</span>}
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className={`mantine-InputWrapper-error ${classes.error}`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
