/** Texts by name, in groups. */
export interface Texts {
  readonly [name: string]: string | Texts
}

/** Groups of texts: `views` for the names of views, `operations` for acts by the operation's id, `members` for members of objects. */
export type Groups = Readonly<Record<string, Texts>>

/** The same texts in each language. */
export interface TextsInLanguages<In extends Groups = Groups> {
  readonly en: In
  readonly de: In
}

type Widened<In> = { readonly [Name in keyof In]: In[Name] extends string ? string : Widened<In[Name]> }

/** Texts in each language; what one language has and the other lacks is an error of types. */
export function textsInLanguages<const In extends Groups>(en: In, de: NoInfer<Widened<In>>): TextsInLanguages {
  return { en, de: de as unknown as In }
}
