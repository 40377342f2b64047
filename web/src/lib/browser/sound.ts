let context: AudioContext | null = null

/** A short tone: high for what went well, low and twice for what did not. A browser that may not play stays silent. */
export function beep(well: boolean): void {
  try {
    context ??= new AudioContext()
    for (const [start, pitch] of well
      ? [[0, 1320]]
      : [
          [0, 220],
          [0.18, 220],
        ]) {
      const tone = context.createOscillator()
      const volume = context.createGain()
      tone.frequency.value = pitch ?? 440
      volume.gain.value = 0.15
      tone.connect(volume).connect(context.destination)
      tone.start(context.currentTime + (start ?? 0))
      tone.stop(context.currentTime + (start ?? 0) + 0.12)
    }
  } catch {
    // Without sound there are still colour and words.
  }
}
