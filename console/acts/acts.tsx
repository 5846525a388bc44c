import { useState, type ReactNode } from 'react'
import { ActContext, type Act } from './act.ts'
import { ActDialog } from './act-dialog.tsx'

/** Lets everything below it open acts, one at a time. */
export function Acts({ children }: { readonly children: ReactNode }) {
  const [act, setAct] = useState<Act>()
  const [count, setCount] = useState(0)
  const open = (next: Act | undefined): void => {
    setAct(next)
    // A form of its own for each act, also for the same one twice.
    setCount(count + 1)
  }
  return (
    <ActContext value={open}>
      {children}
      {act && <ActDialog key={count} act={act} onClose={() => setAct(undefined)} />}
    </ActContext>
  )
}
