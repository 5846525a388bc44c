import type { Ports } from '../ports.ts'

/**
 * Carries out an act whose failure must not undo what was done before. Gives whether it succeeded; the operator is told of a
 * failure.
 */
export async function bestEffort({ deferred }: Pick<Ports, 'deferred'>, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    deferred.run(async () => {
      throw error
    })
    return false
  }
}
