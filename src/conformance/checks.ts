/** The conformance suite: everything that must hold for a kind, as a list of checks. */
import type { Connector } from '../catalog/connector.ts'
import type { Check } from './check.ts'
import { copyChecks } from './copy-checks.ts'
import { credentialChecks } from './credential-checks.ts'
import { descriptionChecks } from './description-checks.ts'
import { downloadChecks } from './download-checks.ts'
import { formOf } from './form.ts'
import { operationsOf } from './operations.ts'
import { recordChecks } from './record-checks.ts'
import { faultCheck, paramChecks } from './refusal-checks.ts'

/** In the order in which they run. The connector must be without faults of its declaration. */
export function checksOf(connector: Connector): readonly Check[] {
  const forms = new Set<string>()
  /** Operations of the same form fail alike, so that the first stands for all. */
  const isFirst = (form: string): boolean => forms.size < forms.add(form).size
  return [
    ...descriptionChecks(connector),
    ...credentialChecks(connector),
    ...operationsOf(connector).flatMap((named) => [
      ...recordChecks(connector, named),
      ...downloadChecks(named),
      ...paramChecks(named),
      ...(isFirst(formOf(named.operation)) ? [faultCheck(connector, named)] : []),
    ]),
    ...copyChecks(connector),
  ]
}
