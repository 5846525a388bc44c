/**
 * A wire object in two parts, whose members follow each other. The first is the same for everybody who gets this `variant` of it, as
 * long as `source`, which never changes, is the same object; so it need not be made anew for each of them.
 */
export interface JoinedObject<Shared extends object, Own extends object> {
  readonly source: object
  readonly variant: string
  readonly shared: () => Shared
  /** At least one member. */
  readonly own: () => Own
  /** What the second part follows from, beside the source and the variant: it is the same while this text is. */
  readonly ownState: string
}

export function wholeObject<Shared extends object, Own extends object>({
  shared,
  own,
}: Pick<JoinedObject<Shared, Own>, 'shared' | 'own'>): Shared & Own {
  return { ...shared(), ...own() }
}
