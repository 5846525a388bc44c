export interface Heartbeat {
  /** Beats at once, as a server may ask; the next one comes an interval later. */
  beat(): void
  /** Says that a beat was answered. */
  acknowledged(): void
  stop(): void
}

export interface HeartbeatSettings {
  readonly interval_ms: number
  readonly send: () => void
  /** Called once, where a beat has no answer by the time of the next: nobody is there any more, or nothing comes through. */
  readonly onSilence: () => void
}

/** Beats in intervals until stopped. The first comes somewhere within one, so that clients that connected together spread. */
export function startHeartbeat({ interval_ms, send, onSilence }: HeartbeatSettings): Heartbeat {
  let isAnswered = true
  let timer = setTimeout(due, interval_ms * Math.random())

  function due(): void {
    if (isAnswered) beat()
    else onSilence()
  }

  function beat(): void {
    clearTimeout(timer)
    timer = setTimeout(due, interval_ms)
    isAnswered = false
    send()
  }

  return {
    beat,
    acknowledged: () => {
      isAnswered = true
    },
    stop: () => clearTimeout(timer),
  }
}
