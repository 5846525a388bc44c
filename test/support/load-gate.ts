/** Lets clients through, or holds them back between two commands. */
export interface LoadGate {
  /** Resolves when a client may begin another command; false once the load is over. */
  mayGoOn(): Promise<boolean>
  open(): void
  /** Lets clients finish their current commands, and resolves once each of them waits. */
  close(clients: number): Promise<void>
  /** Tells the clients to end. */
  end(): void
}

/** An open gate. */
export function loadGate(): LoadGate {
  let isOpen = true
  let hasEnded = false
  let waiting: ((goOn: boolean) => void)[] = []
  let whenAllWait: { readonly clients: number; readonly resolve: () => void } | undefined

  function release(goOn: boolean): void {
    const released = waiting
    waiting = []
    for (const resolve of released) resolve(goOn)
  }

  function look(): void {
    if (whenAllWait && waiting.length >= whenAllWait.clients) whenAllWait.resolve()
  }

  return {
    mayGoOn: (): Promise<boolean> => {
      if (hasEnded) return Promise.resolve(false)
      if (isOpen) return Promise.resolve(true)
      return new Promise((resolve) => {
        waiting.push(resolve)
        look()
      })
    },
    open: (): void => {
      isOpen = true
      whenAllWait = undefined
      release(true)
    },
    close: (clients: number): Promise<void> => {
      isOpen = false
      return new Promise((resolve) => {
        whenAllWait = { clients, resolve }
        look()
      })
    },
    end: (): void => {
      hasEnded = true
      release(false)
    },
  }
}
