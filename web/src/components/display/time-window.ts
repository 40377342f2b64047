/** A time window, `09:00-12:00`, as people read it. It never breaks across lines. */
export const formatWindow = (window: string): string => window.replace('-', '\u00a0–\u00a0')
