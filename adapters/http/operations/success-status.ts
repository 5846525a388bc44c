import { allOperations } from './all-operations.ts'

/** The status with which an operation answers what succeeds, by its name; undefined for a name that none has. */
export function successStatusOf(name: string): number | undefined {
  return allOperations.find((operation) => operation.name === name)?.success.status
}
