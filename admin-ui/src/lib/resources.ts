import { resources } from '../generated/resources.gen';
import type { ResourceInfo } from './resourceInfo';

/** The entry of a resource. @throws when no such resource is in the document (a programming fault). */
export function resourceInfo(name: string): ResourceInfo {
  const info = (resources as Record<string, ResourceInfo>)[name];
  if (!info) throw new Error(`unknown resource: ${name}`);
  return info;
}
