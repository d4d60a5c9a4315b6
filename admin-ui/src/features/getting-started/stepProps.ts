/** What each step of the guide gets from it. */
export interface StepProps {
  /** The function that saves the step: false when it did not work and the user must stay. */
  onSave: (save: () => Promise<boolean>) => void;
  /** Something was saved: the list is asked again. */
  onSaved: () => void;
}
