import fc from 'fast-check'

/** Thrown where a sentence or a law does not hold. Test runners show how its two values differ. */
export class Differs extends Error {
  override readonly name = 'Differs'
  readonly actual: unknown
  readonly expected: unknown

  constructor(actual: unknown, expected: unknown) {
    super(`Expected ${fc.stringify(expected)}, but got ${fc.stringify(actual)}`)
    this.actual = actual
    this.expected = expected
  }
}

/** Throws unless both values are the same in every member, an undefined one included, and in their kinds. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!sameValue(actual, expected)) throw new Differs(actual, expected)
}

/** As `sameJson`, but a Map or a class is never the same as a plain object. */
function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isComposite(one) || !isComposite(other)) return false
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false
  const members = Object.keys(one)
  if (members.length !== Object.keys(other).length) return false
  return members.every(
    (member) => Object.hasOwn(other, member) && sameValue(Reflect.get(one, member), Reflect.get(other, member)),
  )
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
