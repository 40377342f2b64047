import classes from './job-progress.module.css'

/** The progress of a server job. `text` describes it in words; the caller may put a live region around it. */
export function JobProgress({ done, total, text }: { done: number; total: number; text: string }) {
  return (
    <div className={classes.progress}>
      {/* A progress bar with a maximum of 0 would be invalid. */}
      <progress value={done} max={Math.max(total, 1)} aria-label={text} />
      <span>{text}</span>
    </div>
  )
}
