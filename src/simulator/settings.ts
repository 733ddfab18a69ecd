/** Settings of a simulated system, and the change on demand that sets them. */
import type { ChangeSet } from './changes.ts'

export interface Setting {
  read(): unknown
  /** Whether the value is of the setting's own type. */
  takes(value: unknown): boolean
  write(value: unknown): void
}

/** A field of an object that holds settings: a boolean, a number, a word or a list of words; `orNull` for a limit that null lifts. */
export function setting<T extends object>(holder: T, field: keyof T, { orNull = false } = {}): Setting {
  const usual = holder[field]
  const type = typeof (usual ?? 0)
  return {
    read: () => holder[field],
    takes(value) {
      if (value === null) return orNull
      if (!Array.isArray(usual)) return typeof value === type && !Array.isArray(value)
      return Array.isArray(value) && value.every((one) => typeof one === 'string')
    },
    write(value) {
      holder[field] = value as T[keyof T]
    },
  }
}

/** Sets any of these settings, all or none, and answers with all of them. `hint` tells what their names do not. */
export function settingsChange(settings: Readonly<Record<string, Setting>>, hint?: string): ChangeSet[string] {
  const names = Object.keys(settings)
  const all = () => Object.fromEntries(Object.entries(settings).map(([name, { read }]) => [name, read()]))
  return {
    does: [`Sets ${names.join(', ')}.`, hint].filter(Boolean).join(' '),
    example: all(),
    make({ change: _, ...given }) {
      for (const [name, value] of Object.entries(given)) {
        const found = Object.hasOwn(settings, name) ? settings[name] : undefined
        if (found === undefined) throw new Error(`There is no setting "${name}"; there are ${names.join(', ')}.`)
        if (!found.takes(value)) throw new Error(`The setting "${name}" cannot be ${JSON.stringify(value)}.`)
      }
      for (const [name, value] of Object.entries(given)) settings[name]!.write(value)
      return all()
    },
  }
}
