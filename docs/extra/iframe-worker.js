// Browsers start no worker for a page that was opened from a folder, and the search of the site is one. There its script runs
// in a hidden frame instead. (The file's name tells the site's builder that it need not load something of the kind from elsewhere.)
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(script) {
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      this.inside = this.frame.contentWindow;
      this.inside.postMessage = (data) => setTimeout(() => this.onmessage?.({ data }));
      const element = this.inside.document.createElement("script");
      this.ready = new Promise((resolve) => (element.onload = resolve));
      element.onerror = (error) => this.onerror?.(error);
      element.src = script;
      this.inside.document.body.append(element);
    }
    postMessage(data) {
      this.ready.then(() => this.inside.onmessage?.({ data: structuredClone(data) }));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
